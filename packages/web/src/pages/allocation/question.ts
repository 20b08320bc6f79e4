import type { ExplorerSearch } from '../../url-parameters.ts'

export const groupings = ['cluster', 'namespace', 'workload', 'controller_kind', 'team', 'node_pool', 'node'] as const
export type Grouping = (typeof groupings)[number] | `label:${string}`

const groupingWords: Record<(typeof groupings)[number], string> = {
  cluster: 'cluster',
  namespace: 'namespace',
  workload: 'workload',
  controller_kind: 'kind',
  team: 'team',
  node_pool: 'node pool',
  node: 'node',
}

const labelPattern = /^label:[A-Za-z0-9]([A-Za-z0-9._/-]{0,315}[A-Za-z0-9])?$/
export const isLabel = (by: string): by is `label:${string}` => labelPattern.test(by)

export const groupingName = (by: string) => {
  const known = groupings.find((each) => each === by)
  return known === undefined ? by.replace('label:', 'label ') : groupingWords[known]
}

const sharings = ['none', 'even', 'proportional', 'statements'] as const
export type Sharing = (typeof sharings)[number]

/** The API parameters. Statements share whole days, so there are no hours. */
export const sharingQuery = (share: Sharing): Record<string, string> =>
  share === 'statements' ? { share, trend: 'day' } : { share_idle: share }

export const isByNode = (by: string) => by === 'node' || by === 'node_pool'

/** Filters of the explorer, in the order of their chips. */
export const filterNames = ['clusters', 'namespace', 'team', 'label', 'workload', 'kind', 'pool'] as const
export type FilterName = (typeof filterNames)[number]

export const filterWords: Record<FilterName, string> = {
  clusters: 'cluster',
  namespace: 'namespace',
  team: 'team',
  label: 'label',
  workload: 'workload',
  kind: 'kind',
  pool: 'node pool',
}

const ownerFilters = ['namespace', 'team', 'label', 'workload', 'kind'] as const

/** Cost per workload and node is not stored, so a filter by node pool needs a grouping by node. */
export const doesApply = (name: FilterName, levels: readonly string[]) => name !== 'pool' || levels.some(isByNode)

export type Question = { levels: [Grouping] | [Grouping, Grouping]; share: Sharing }

/**
 * Cost by node includes idle cost, so there is none to share. Cost per workload and node is not stored, so nodes go with
 * clusters and pools only, and not with filters of workloads.
 */
export function readQuestion(search: ExplorerSearch): Question {
  const hasOwner = ownerFilters.some((name) => search[name] !== undefined)
  const wanted = readGrouping(search.by) ?? 'namespace'
  const by = hasOwner && isByNode(wanted) ? 'workload' : wanted
  const then = readGrouping(search.then)
  const goesWith = then !== undefined && then !== by && doCombine(by, then) && !(hasOwner && isByNode(then))
  const levels: Question['levels'] = goesWith ? [by, then] : [by]
  const known = sharings.find((each) => each === search.share) ?? 'none'
  return { levels, share: levels.some(isByNode) ? 'none' : known }
}

const readGrouping = (text: string | undefined): Grouping | undefined =>
  text !== undefined && isLabel(text) ? text : groupings.find((each) => each === text)

export const doCombine = (a: Grouping, b: Grouping) =>
  isByNode(a) || isByNode(b) ? [a, b].every((each) => isByNode(each) || each === 'cluster') : true

/** The API parameters of the filters. Pools are filters of nodes only. */
export function filterQuery(search: ExplorerSearch, { levels }: Question): Record<string, string> {
  const { clusters, namespace, team, label, workload, kind: controller_kind, pool } = search
  const nodePool = doesApply('pool', levels) ? pool : undefined
  const asked = { clusters, namespace, team, label, workload, controller_kind, node_pool: nodePool }
  return Object.fromEntries(
    Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
}
