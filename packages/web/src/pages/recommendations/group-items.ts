import type { Recommendation, RecommendationGroup, RecommendationGroups } from '@plimsoll/contract'
import { addedUp } from '../../format/money.ts'

export type Item =
  | { kind: 'row'; key: string; row: Recommendation; place: number; group: RecommendationGroup | undefined }
  | { kind: 'group'; key: string; group: RecommendationGroup; isOpen: boolean; amounts: ShownSavings }
  | { kind: 'more'; key: string; group: RecommendationGroup; shown: number }
  | { kind: 'rest'; key: string; rest: RecommendationGroups['rest']; amounts: ShownSavings }

/** As shown: the amounts of all groups add up to those of the list. */
export type ShownSavings = { bankable: string; estimated: string }

export const toItems = (rows: readonly Recommendation[], from = 0, group?: RecommendationGroup) =>
  rows.map((row, index): Item => ({ kind: 'row', key: row.id, row, place: from + index, group }))

/** The group in which a row is listed, if the list has groups. */
export const groupOf = (items: readonly Item[], id: string) =>
  items.flatMap((item) => (item.kind === 'row' && item.row.id === id ? [item.group] : []))[0]

export const keyOf = ({ cluster_id: cluster, namespace, workload, rule_id: rule }: RecommendationGroup) =>
  ['group', cluster, namespace, workload, rule].join(' ')

/** Each group, below it the rows that are known of it when it is open, and at the end what is in no group that is named. */
export function groupItems(
  { groups, rest }: Pick<RecommendationGroups, 'groups' | 'rest'>,
  open: ReadonlySet<string>,
  rowsOf: (group: RecommendationGroup) => readonly Recommendation[] | undefined,
): Item[] {
  const items: Item[] = []
  const amounts = amountsOf([...groups, rest])
  let place = 0
  for (const [index, group] of groups.entries()) {
    const key = keyOf(group)
    const isOpen = open.has(key)
    items.push({ kind: 'group', key, group, isOpen, amounts: amounts(index) })
    const rows = isOpen ? rowsOf(group) : undefined
    if (!rows) continue
    items.push(...toItems(rows, place, group))
    place += rows.length
    if (rows.length < group.count) items.push({ kind: 'more', key: `${key} more`, group, shown: rows.length })
  }
  return rest.count > 0 ? [...items, { kind: 'rest', key: 'rest', rest, amounts: amounts(groups.length) }] : items
}

type Sums = Pick<RecommendationGroup, 'bankable_savings' | 'estimated_savings'>

function amountsOf(all: readonly Sums[]): (index: number) => ShownSavings {
  const bankable = addedUp(all.map(({ bankable_savings: usd }) => usd ?? 0)).parts
  const estimated = addedUp(all.map(({ estimated_savings: usd }) => usd)).parts
  return (index) => ({ bankable: bankable[index] ?? '', estimated: estimated[index] ?? '' })
}
