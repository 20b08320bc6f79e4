/** What people did about one recommendation to resize a container, and what became of it in the cluster. */
export type Decision = {
  readonly scenario: string
  readonly namespace: string
  readonly workload: string
  readonly container: string
  /** What they tell the service, in order. Nothing: they do it without a word. */
  readonly moves: readonly { readonly action: 'approve' | 'reject' | 'apply'; readonly reason?: string }[]
  /** How much of the recommended change they roll out. Absent: nothing. */
  readonly share?: number
  /** So many hours later they take it back. */
  readonly takenBackAfterHours?: number
}

const agreed = [{ action: 'approve', reason: 'Agreed with the team.' }, { action: 'apply' }] as const

const done = (scenario: string, namespace: string, workload: string, container: string): Decision => ({
  ...{ scenario, namespace, workload, container },
  moves: agreed,
  share: 1,
})

/** Nodes that whoever scales the pool takes away, so many hours after the decisions. */
type Removal = { readonly scenario: string; readonly pool: string; readonly afterHours: number }

export type Plot = { readonly decisions: readonly Decision[]; readonly removals: readonly Removal[] }

/** A good week, with what goes wrong in one: most is done and stays, one change is undone, one is forgotten. */
const decisions: readonly Decision[] = [
  done('platform', 'messaging', 'stream-processor', 'flink'),
  done('platform', 'tools', 'search', 'search'),
  done('platform', 'tools', 'geo', 'geo'),
  done('platform', 'tools', 'export', 'export'),
  done('office', 'intranet', 'portal', 'portal'),
  done('production', 'shop', 'inventory', 'app'),
  done('production', 'shop', 'pricing', 'app'),
  done('production', 'payments', 'wallet', 'app'),
  // Seen as done, and then taken back by somebody who feared for the end of the month.
  { ...done('production', 'payments', 'tax', 'app'), takenBackAfterHours: 6 * 24 },
  { ...done('production', 'payments', 'disputes', 'app'), share: 0.5 },
  // Marked as implemented, and never merged.
  { ...done('production', 'monitoring', 'prometheus', 'prometheus'), share: 0 },
  { ...done('production', 'shop', 'shipping', 'app'), moves: [] },
  { ...done('production', 'payments', 'refunds', 'app'), moves: [agreed[0]], share: 0 },
  {
    ...done('production', 'payments', 'receipts', 'app'),
    moves: [{ action: 'reject', reason: 'Needed for a known peak: the end of the quarter.' }],
    share: 0,
  },
]

export const goodWeek: Plot = {
  decisions,
  removals: [30, 52].map((afterHours) => ({ scenario: 'production', pool: 'general', afterHours })),
}
