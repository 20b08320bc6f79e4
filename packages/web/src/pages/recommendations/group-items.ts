import type { Recommendation, RecommendationGroup, RecommendationGroups } from '@plimsoll/contract'
import { addedUp, addedUpWithin } from '../../format/money.ts'
import { sumOf } from '../../format/round.ts'

export type Item =
  | {
      kind: 'row'
      key: string
      row: Recommendation
      place: number
      group: RecommendationGroup | undefined
      amounts: ShownSavings
    }
  | { kind: 'group'; key: string; group: RecommendationGroup; isOpen: boolean; amounts: ShownSavings }
  | { kind: 'quiet'; key: string; rule: Pick<Recommendation, 'rule_id' | 'rule_name'>; count: number; isOpen: boolean }
  | { kind: 'more'; key: string; group: RecommendationGroup; shown: number }
  | { kind: 'rest'; key: string; rest: RecommendationGroups['rest']; amounts: ShownSavings }

/** As shown: rows add up to their group, and groups or rows to the total of the list. */
export type ShownSavings = { bankable: string; estimated: string }

type Sums = Pick<RecommendationGroup, 'bankable_savings' | 'estimated_savings'>

/** Rows without groups. `total` covers the whole list, not only the loaded rows. */
export const toItems = (rows: readonly Recommendation[], total?: Sums) =>
  rowItems(rows, amountsOf([...rows, notLoaded(rows, total)]))

/** Neither saves nor costs anything, and is not urgent. */
const isQuiet = ({ estimated_savings: estimated, bankable_savings: bankable, severity }: Recommendation) =>
  estimated === 0 && (bankable ?? 0) === 0 && severity !== 'critical' && severity !== 'high'

/** The same list with one line per rule for the rows without money, at its end. Opened, the line has its rows below. */
export function foldQuiet(items: readonly Item[], open: ReadonlySet<string>): Item[] {
  const rows = items.flatMap((item) => (item.kind === 'row' ? [item] : []))
  const quiet = new Map<string, typeof rows>()
  for (const item of rows.filter(({ row }) => isQuiet(row))) {
    quiet.set(item.row.rule_id, [...(quiet.get(item.row.rule_id) ?? []), item])
  }
  const folded = [...quiet].flatMap(([ruleId, own]): Item[] => {
    const [first] = own
    if (!first || own.length === 1) return own
    const key = `quiet ${ruleId}`
    const isOpen = open.has(key)
    return [{ kind: 'quiet', key, rule: first.row, count: own.length, isOpen }, ...(isOpen ? own : [])]
  })
  let place = 0
  return [...rows.filter(({ row }) => !isQuiet(row)), ...folded].map((item) =>
    item.kind === 'row' ? { ...item, place: place++ } : item,
  )
}

const rowItems = (
  rows: readonly Recommendation[],
  amounts: (index: number) => ShownSavings,
  from = 0,
  group?: RecommendationGroup,
) =>
  rows.map((row, index): Item => ({
    kind: 'row',
    key: row.id,
    row,
    place: from + index,
    group,
    amounts: amounts(index),
  }))

/** The group of a row, if the list has groups. */
export const groupOf = (items: readonly Item[], id: string) =>
  items.flatMap((item) => (item.kind === 'row' && item.row.id === id ? [item.group] : []))[0]

export const keyOf = ({ cluster_id: cluster, namespace, workload, rule_id: rule }: RecommendationGroup) =>
  ['group', cluster, namespace, workload, rule].join(' ')

/** Each group with its loaded rows if open, and at the end the smaller groups as one row. */
export function groupItems(
  { groups, rest }: Pick<RecommendationGroups, 'groups' | 'rest'>,
  open: ReadonlySet<string>,
  rowsOf: (group: RecommendationGroup) => readonly Recommendation[] | undefined,
): Item[] {
  const items: Item[] = []
  const all = [...groups, rest]
  const amounts = amountsOf(all)
  let place = 0
  for (const [index, group] of groups.entries()) {
    const key = keyOf(group)
    const isOpen = open.has(key)
    items.push({ kind: 'group', key, group, isOpen, amounts: amounts(index) })
    const rows = isOpen ? rowsOf(group) : undefined
    if (!rows) continue
    items.push(...rowItems(rows, amountsWithin(all, index, [...rows, notLoaded(rows, group)]), place, group))
    place += rows.length
    if (rows.length < group.count) items.push({ kind: 'more', key: `${key} more`, group, shown: rows.length })
  }
  return rest.count > 0 ? [...items, { kind: 'rest', key: 'rest', rest, amounts: amounts(groups.length) }] : items
}

function amountsOf(all: readonly Sums[]): (index: number) => ShownSavings {
  return shownSavings(addedUp(bankableOf(all)).parts, addedUp(estimatedOf(all)).parts)
}

function amountsWithin(all: readonly Sums[], index: number, inner: readonly Sums[]): (index: number) => ShownSavings {
  return shownSavings(
    addedUpWithin(bankableOf(all), index, bankableOf(inner)),
    addedUpWithin(estimatedOf(all), index, estimatedOf(inner)),
  )
}

const bankableOf = (all: readonly Sums[]) => all.map(({ bankable_savings: usd }) => usd ?? 0)
const estimatedOf = (all: readonly Sums[]) => all.map(({ estimated_savings: usd }) => usd)

const shownSavings = (bankable: readonly string[], estimated: readonly string[]) => (index: number) => ({
  bankable: bankable[index] ?? '',
  estimated: estimated[index] ?? '',
})

/** The part of the total outside these rows. */
function notLoaded(rows: readonly Sums[], total?: Sums): Sums {
  const besides = (of: (all: readonly Sums[]) => number[]) =>
    total === undefined ? 0 : sumOf(of([total])) - sumOf(of(rows))
  return { bankable_savings: besides(bankableOf), estimated_savings: besides(estimatedOf) }
}
