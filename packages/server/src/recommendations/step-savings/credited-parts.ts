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
    nodes: new Map(steps.flatMap(creditedNodes)),
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

type Credited = [uid: string, { stepId: string; movement: 'removed' | 'added' }]

function creditedNodes({ row: { step_id: stepId }, nodes }: AppliedStep): Credited[] {
  return nodes.flatMap(({ state, life, replacement }): Credited[] => {
    if (state !== 'gone' || !life) return []
    const removed: Credited = [life.uid, { stepId, movement: 'removed' }]
    return replacement ? [removed, [replacement.uid, { stepId, movement: 'added' }]] : [removed]
  })
}
