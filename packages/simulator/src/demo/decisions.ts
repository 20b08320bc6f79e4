import type { Move } from './api.ts'

/** A user decision about a right-sizing recommendation, and its effect in the cluster. */
export type Decision = {
  readonly scenario: string
  readonly namespace: string
  readonly workload: string
  readonly container: string
  /** The API actions in order. Empty: the change is applied without an action. */
  readonly moves: readonly Omit<Move, 'id'>[]
  /** The applied share of the recommended change. Absent: nothing is applied. */
  readonly share?: number
  /** The hours until the change is reverted. */
  readonly takenBackAfterHours?: number
}

export const agreed: Decision['moves'] = [{ action: 'approve', reason: 'Agreed with the team.' }, { action: 'apply' }]

const done = (scenario: string, namespace: string, workload: string, container: string): Decision => ({
  ...{ scenario, namespace, workload, container },
  moves: agreed,
  share: 1,
})

/**
 * The nodes that are removed from a pool, this many hours after the decisions: all nodes that an applied step of the plan
 * names; without such a step, the node with the most free capacity.
 */
export type Removal = {
  readonly scenario: string
  readonly pool: string
  readonly afterHours: number
  /** Without a step nothing is removed, because the pods may fit on no other node of the pool. */
  readonly needsStep?: true
}

export type Plot = { readonly decisions: readonly Decision[]; readonly removals: readonly Removal[] }

/** Most changes are applied and stay; one is reverted, and one is never applied. */
const decisions: readonly Decision[] = [
  done('platform', 'messaging', 'stream-processor', 'flink'),
  done('platform', 'tools', 'search', 'search'),
  done('platform', 'tools', 'geo', 'geo'),
  done('platform', 'tools', 'export', 'export'),
  done('office', 'intranet', 'portal', 'portal'),
  done('production', 'shop', 'inventory', 'app'),
  done('production', 'shop', 'pricing', 'app'),
  done('production', 'payments', 'wallet', 'app'),
  // Verified, and then reverted by a user.
  { ...done('production', 'payments', 'tax', 'app'), takenBackAfterHours: 6 * 24 },
  { ...done('production', 'payments', 'disputes', 'app'), share: 0.5 },
  // Marked as implemented, but never merged.
  { ...done('production', 'monitoring', 'prometheus', 'prometheus'), share: 0 },
  { ...done('production', 'shop', 'shipping', 'app'), moves: [] },
  { ...done('production', 'payments', 'refunds', 'app'), moves: agreed.slice(0, 1), share: 0 },
  {
    ...done('production', 'payments', 'receipts', 'app'),
    moves: [{ action: 'reject', reason: 'Needed for a known peak: the end of the quarter.' }],
    share: 0,
  },
]

export const goodWeek: Plot = {
  decisions,
  removals: [
    // The plan has a drain step for this pool of fixed size. Its nodes are removed before a spot node among them ends.
    { scenario: 'production', pool: 'data', afterHours: 1, needsStep: true },
    { scenario: 'production', pool: 'general', afterHours: 30 },
    { scenario: 'production', pool: 'general', afterHours: 52 },
  ],
}
