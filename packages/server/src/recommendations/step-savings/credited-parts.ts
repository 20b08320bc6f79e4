import type { CreditedNodes } from '@plimsoll/engine/changes'
import type { Db } from '../../platform/db/database.ts'
import { loadAppliedSteps, type AppliedStep } from './load-applied-steps.ts'

/** What applied steps took off the bill, by node and by cloud resource. */
export type CreditedParts = {
  nodes: CreditedNodes
  /** The step of each cloud resource, by uid. */
  resources: ReadonlyMap<string, { id: string; appliedAt: Date }>
  steps: ReadonlyMap<string, { clusterId: string; title: string }>
}

/** Enough for the longest window. */
const stepsMax = 1000

/** Nodes that are gone without a replacement, planned replacements, and cloud resources that ended or changed. */
export async function loadCreditedParts(tx: Db, clusterId: string): Promise<CreditedParts> {
  const { steps } = await loadAppliedSteps(tx, {
    clusterIds: [clusterId],
    namespaces: null,
    ruleIds: null,
    limit: stepsMax,
  })
  return {
    nodes: creditedNodes(steps),
    resources: new Map(
      steps.flatMap(({ row, resources }) =>
        resources.flatMap(({ uid, isGone }) =>
          isGone ? [[uid, { id: row.step_id, appliedAt: row.applied_at }] as const] : [],
        ),
      ),
    ),
    steps: new Map(steps.map(({ row }) => [row.step_id, { clusterId: row.cluster_id, title: row.title }])),
  }
}

function creditedNodes(steps: readonly AppliedStep[]): CreditedNodes {
  const credited = new Map<string, { removed?: string; added?: string }>()
  const credit = (uid: string, by: { removed: string } | { added: string }) =>
    credited.set(uid, { ...credited.get(uid), ...by })
  for (const { row, nodes } of steps) {
    for (const { state, life, replacement } of nodes) {
      if (state !== 'gone' || !life) continue
      credit(life.uid, { removed: row.step_id })
      if (replacement) credit(replacement.uid, { added: row.step_id })
    }
  }
  return credited
}
