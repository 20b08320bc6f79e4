import type { ContainerSpec, RegressedChange } from '@plimsoll/engine/rules'
import { plannedNodes } from '@plimsoll/engine/plan'
import { judgeSnapshot, type Analysis, type ListOpen, type Planning } from './advice/judge-snapshot.ts'
import type { Proposing } from './advice/open-proposals.ts'
import { addUsage } from './facts/add-usage.ts'
import { factsOf, type Around } from './facts/facts-of.ts'
import type { Packed } from './facts/node-facts.ts'
import { packSnapshot } from './facts/pack-snapshot.ts'
import type { UsageReader } from './facts/usage-reader.ts'
import type { FoldState } from './fold/fold-state.ts'

export type AnalysisInput = {
  snapshot: FoldState
  /** Prices, history, policies and run rate of the cluster. */
  around: Around
  /** Without usage, rules that need usage find nothing. */
  usage?: UsageReader
  /** By target key: the sizes of open recommendations. */
  standingSizes?: ReadonlyMap<string, ContainerSpec>
  /** Applied changes after which containers fail more often. */
  regressed?: readonly RegressedChange[]
  /** Called after the slow read of the usage, so that decisions made meanwhile count. */
  loadOpen?: () => Promise<ListOpen>
  planning?: Planning
  /** Recommendations marked as implemented and not observed yet. Called right after `loadOpen`. */
  loadApplied?: () => Promise<readonly Proposing[]>
}

/** The only path from a snapshot, its usage and its policies to an analysis. */
export async function analyse({
  snapshot,
  around,
  usage,
  standingSizes = new Map(),
  regressed = [],
  loadOpen,
  planning,
  loadApplied,
}: AnalysisInput): Promise<{ analysis: Analysis; packed: Packed | undefined }> {
  const packed = packSnapshot(snapshot, around, plannedNodes(planning?.previous ?? [], planning?.drained))
  const found = { ...factsOf(snapshot, around, packed), regressed }
  const facts = usage ? await addUsage(usage, found, standingSizes) : found
  const listOpen = await loadOpen?.()
  const applied = await loadApplied?.()
  const analysis = judgeSnapshot(snapshot, facts, packed, {
    ...(listOpen ? { listOpen } : {}),
    ...(planning ? { planning: { ...planning, ...(applied ? { applied } : {}) } } : {}),
  })
  return { analysis, packed }
}
