import type {
  OidcFailure,
  RecommendationGroup,
  RecommendationGrouping,
  RecommendationSort,
  VerificationState,
} from '@plimsoll/contract'
import { CATEGORIES, LEVELS, VERIFICATIONS } from '@plimsoll/engine/vocabulary'
import { statusLabels, verificationLabels } from './format/labels.ts'
import { signInFailures } from './format/sign-in-failures.ts'

type Search = Record<string, unknown>

/** The URL holds the whole state of a view, so views can be shared. Unknown parameters are dropped. */
export const readSearch = ({ cluster }: Search): { cluster?: string } =>
  typeof cluster === 'string' ? { cluster } : {}

/**
 * Without the parameters that a page does not read. The router adds the raw parameters of the address to those that a page
 * returns, and the service would reject them. The shell reads the cluster.
 */
export function onlyKnown<Known extends object>(search: Search, known: Known): Known {
  const others = Object.keys(search).filter((name) => name !== 'cluster' && !(name in known))
  return { ...Object.fromEntries(others.map((name) => [name, undefined])), ...known }
}

const windows = ['24h', '7d', '30d', 'month', 'last_month', 'quarter', 'last_quarter', 'last_12_months'] as const
export type ShownWindow = (typeof windows)[number]

export const windowWords: Record<ShownWindow, string> = {
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  month: 'This month',
  last_month: 'Last month',
  quarter: 'This quarter',
  last_quarter: 'Last quarter',
  last_12_months: 'Last 12 months',
}

export function readWindow({ window }: Search): { window?: ShownWindow } {
  const known = windows.find((each) => each === window)
  return known === undefined ? {} : { window: known }
}

export type StatementsSearch = { month?: string; team?: string; sheets?: 'all' }

/** A month, the sheet of one team, or the sheets of all teams. */
export function readStatements({ month, team, sheets }: Search): StatementsSearch {
  return {
    ...(typeof month === 'string' && /^20\d{2}-(0[1-9]|1[0-2])$/.test(month) ? { month } : {}),
    ...(typeof team === 'string' ? { team } : {}),
    ...(sheets === 'all' ? { sheets } : {}),
  }
}

/** Failures of the identity provider that the page explains. */
export function readSignIn({ next, failure }: Search): { next?: string; failure?: OidcFailure } {
  const known = Object.keys(signInFailures).find((each): each is OidcFailure => each === failure)
  return { ...(typeof next === 'string' ? { next } : {}), ...(known === undefined ? {} : { failure: known }) }
}

const scales = ['linear', 'log'] as const

/** The scale of a chart, chosen from its data by default; and whether the lines of other tools are hidden. */
export function readChart({ scale, compare }: Search): { scale?: (typeof scales)[number]; compare?: 'off' } {
  const known = scales.find((each) => each === scale)
  return { ...(known === undefined ? {} : { scale: known }), ...(compare === 'off' ? { compare } : {}) }
}

/** Verification states of applied changes. `done`: resolved without being marked as implemented, so not verified. */
export const historyStates: readonly HistoryState[] = [
  ...(Object.keys(verificationLabels) as VerificationState[]),
  'done',
]
export type HistoryState = VerificationState | 'done'

export function readHistoryState({ state }: Search): { state?: HistoryState } {
  const known = historyStates.find((each) => each === state)
  return known === undefined ? {} : { state: known }
}

/** Two days to compare, in UTC. Without them: 30 days ago and the last 24 hours. */
export type BillDays = { from?: string; to?: string }

const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^20\d{2}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))

export const readBillDays = ({ from, to }: Search): BillDays => ({
  ...(isDay(from) ? { from } : {}),
  ...(isDay(to) ? { to } : {}),
})

export const comparisons = ['previous', 'year', 'custom', 'off'] as const
export type ComparedWith = (typeof comparisons)[number]

/** The first and the last day of two periods, in UTC. */
const explorerDays = ['from', 'to', 'compare_from', 'compare_to'] as const

const explorerTexts = [
  'by',
  'then',
  'share',
  'sort',
  'clusters',
  'namespace',
  'team',
  'label',
  'workload',
  'kind',
  'pool',
] as const

export type ExplorerSearch = {
  window?: ShownWindow
  against?: ComparedWith
} & Partial<Record<(typeof explorerDays)[number] | (typeof explorerTexts)[number], string>>

/** Undefined removes a parameter. */
export type ExplorerChange = { [Name in keyof ExplorerSearch]?: ExplorerSearch[Name] | undefined }

/** The service rejects other forms, and the page would show an error instead of the costs. */
const filterForms: Partial<Record<(typeof explorerTexts)[number], RegExp>> = {
  label: /^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$/,
  workload: /^[^/,\s]+(\/[^/,\s]+){2}(,[^/,\s]+(\/[^/,\s]+){2})*$/,
}

const isFilter = (name: (typeof explorerTexts)[number], value: unknown) =>
  typeof value === 'string' && value !== '' && (filterForms[name]?.test(value) ?? true)

export function readExplorer(search: Search): ExplorerSearch {
  const against = comparisons.find((each) => each === search.against)
  const entries = [
    ...explorerDays.filter((name) => isDay(search[name])),
    ...explorerTexts.filter((name) => isFilter(name, search[name])),
  ].map((name) => [name, search[name] as string] as const)
  return { ...readWindow(search), ...(against === undefined ? {} : { against }), ...Object.fromEntries(entries) }
}

export type PeriodSearch = Pick<ExplorerSearch, 'window' | 'from' | 'to' | 'against' | 'compare_from' | 'compare_to'>

export const periodNames = ['window', 'from', 'to', 'against', 'compare_from', 'compare_to'] as const

/** The period of an address, without its other parameters. */
export const pickedPeriod = (search: PeriodSearch): PeriodSearch =>
  Object.fromEntries(periodNames.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])))

/** Owners of costs that have a page. */
export const ownerKindNames = ['workloads', 'namespaces', 'teams', 'nodes'] as const
export type OwnerKind = (typeof ownerKindNames)[number]

const textFilters = [
  'status',
  'risk',
  'category',
  'rule',
  'namespace',
  'workload',
  'verification',
  'text',
  'sort',
  'group',
] as const

/** Highest bankable savings first. */
export const defaultSort = '-bankable_savings'

export type RecommendationFilters = {
  cluster?: string | undefined
  status?: string | undefined
  risk?: string | undefined
  category?: string | undefined
  rule?: string | undefined
  namespace?: string | undefined
  workload?: string | undefined
  verification?: string | undefined
  min?: number | undefined
  text?: string | undefined
  sort?: string | undefined
  group?: string | undefined
}

const sorts: Record<RecommendationSort, true> = {
  estimated_savings: true,
  '-estimated_savings': true,
  bankable_savings: true,
  '-bankable_savings': true,
  severity: true,
  '-severity': true,
  created_at: true,
  '-created_at': true,
}

const groupings: Record<RecommendationGrouping, true> = {
  cluster: true,
  namespace: true,
  workload: true,
  rule: true,
  verification: true,
}

/** Filters with a fixed set of values. The service rejects other values, and the page would show an error instead of the list. */
const accepted: Partial<Record<(typeof textFilters)[number], readonly string[]>> = {
  status: Object.keys(statusLabels),
  risk: LEVELS,
  category: CATEGORIES,
  verification: [...VERIFICATIONS, '__none__'],
  sort: Object.keys(sorts),
  group: Object.keys(groupings),
}

const textMax = 200

/** Of several values, those that the service knows. */
function acceptedPart(name: (typeof textFilters)[number], text: string): string {
  const values = accepted[name]
  if (values === undefined) return name === 'text' ? text.slice(0, textMax) : text
  return text
    .split(',')
    .filter((value) => values.includes(value))
    .join(',')
}

export function readFilters(search: Search): Omit<RecommendationFilters, 'cluster'> {
  const filters: Omit<RecommendationFilters, 'cluster'> = {}
  for (const name of textFilters) {
    const value = search[name]
    const text = typeof value === 'number' ? String(value) : value
    const known = typeof text === 'string' ? acceptedPart(name, text) : ''
    if (known !== '') filters[name] = known
  }
  if (typeof search.min === 'number' && search.min > 0) filters.min = search.min
  return filters
}

/** The list instead of the plan. Any filter of the list shows the list too. */
export function readView({ view }: Search): { view?: 'all' } {
  return view === 'all' ? { view } : {}
}

export const showsList = ({ cluster: _any, ...search }: RecommendationFilters & { view?: 'all' }) =>
  Object.values(search).some((value) => value !== undefined)

type ListSearch = Omit<RecommendationFilters, 'cluster'> & { cluster?: string }

type GroupFilters = Pick<ListSearch, 'cluster' | 'namespace' | 'workload' | 'rule' | 'verification'>

/**
 * The page of a recommendation knows the list it was opened from. `sort` is always set; without it there is no list. The
 * filters of the group are separate from the filters of the list, to which the reader returns.
 */
export const fromList = (filters: ListSearch, group?: RecommendationGroup): ListSearch & { within?: GroupFilters } => ({
  ...filters,
  sort: filters.sort ?? defaultSort,
  ...(group && { within: filtersOf(group) }),
})

const groupFilters = ['cluster', 'namespace', 'workload', 'rule'] as const

/** The group the page was opened from. */
export function readWithin({ within }: Search): { within?: GroupFilters } {
  if (typeof within !== 'object' || within === null) return {}
  const names = groupFilters.flatMap((name) => {
    const value: unknown = (within as Search)[name]
    return typeof value === 'string' ? [[name, value] as const] : []
  })
  return names.length === 0 ? {} : { within: Object.fromEntries(names) }
}

/** Filters that list exactly one group. */
export function filtersOf({
  cluster_id: cluster,
  namespace,
  workload,
  rule_id: rule,
  verification,
}: RecommendationGroup) {
  const names = Object.entries({ cluster, namespace, workload, rule, verification }).filter(([, name]) => name !== null)
  return Object.fromEntries(names) as GroupFilters
}
