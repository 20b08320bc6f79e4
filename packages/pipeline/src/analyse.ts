import type { ContainerSpec } from '@plimsoll/engine/rules'
import { judgeSnapshot, type Analysis, type ListOpen } from './advice/judge-snapshot.ts'
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
  /** Called after the slow read of the usage, so that decisions made meanwhile count. */
  loadOpen?: () => Promise<ListOpen>
}

/** The only path from a snapshot, its usage and its policies to an analysis. */
export async function analyse({
  snapshot,
  around,
  usage,
  standingSizes = new Map(),
  loadOpen,
}: AnalysisInput): Promise<{ analysis: Analysis; packed: Packed | undefined }> {
  const packed = packSnapshot(snapshot, around)
  const found = factsOf(snapshot, around, packed)
  const facts = usage ? await addUsage(usage, found, standingSizes) : found
  return { analysis: judgeSnapshot(snapshot, facts, packed, await loadOpen?.()), packed }
}
