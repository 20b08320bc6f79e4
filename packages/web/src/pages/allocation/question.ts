export const groupings = ['namespace', 'workload', 'team', 'node_pool', 'node'] as const
export type Grouping = (typeof groupings)[number]

export const groupingWords: Record<Grouping, string> = {
  namespace: 'namespace',
  workload: 'workload',
  team: 'team',
  node_pool: 'node pool',
  node: 'node',
}

export const groupingName = (by: string) => groupingWords[groupings.find((each) => each === by) ?? 'namespace']

const sharings = ['none', 'even', 'proportional'] as const
export type Sharing = (typeof sharings)[number]

export const isByNode = (by: Grouping) => by === 'node' || by === 'node_pool'

type Search = { by?: string; share?: string; namespace?: string }

/** Cost by node includes idle cost, so there is none to share. Inside a namespace, nodes are no grouping. */
export function readQuestion({ by: wanted, share, namespace }: Search): { by: Grouping; share: Sharing } {
  const known = groupings.find((each) => each === wanted) ?? 'namespace'
  const by = namespace !== undefined && known !== 'team' ? 'workload' : known
  return { by, share: isByNode(by) ? 'none' : (sharings.find((each) => each === share) ?? 'none') }
}
