import type { Allocation } from '@plimsoll/contract'
import { addedUp, addedUpChanges, addedUpTable } from '../../format/money.ts'
import { percent, signedPercent } from '../../format/quantity.ts'
import { compareKeys, type SortKey } from '../../parts/sort-key.ts'
import { costColumns, type Cost, type CostColumn } from './cost-columns.ts'
import { shortOwner } from './owner.ts'

type Step = Allocation['steps'][number]
type Row = Step['rows'][number]
type Comparison = NonNullable<Row['compare']>

/** One line of the table, with its amounts as shown. */
export type Line = {
  key: string
  /** The name in the API. */
  name: string
  /** The name on the screen. */
  word: string
  by: string
  /** The name of the cluster, for a line in the row of a cluster. */
  cluster: string | undefined
  level: 0 | 1
  isOwned: boolean
  cost: Cost
  compare: Comparison | undefined
  shown: { cells: string[]; total: string; previous: string; change: string; percent: string; efficiency: string }
  lines: Line[]
}

type Given = Pick<Line, 'name' | 'by' | 'isOwned' | 'cost' | 'compare'> & { rows?: Row['rows']; rest?: Row['rest'] }

const unowned = ['idle', 'unmounted', 'unattached', 'overhead'] as const
/** Cost without an owner is a row of the second level in the row of a cluster. */
const unownedNames: ReadonlySet<string> = new Set(unowned.map((kind) => `__${kind}__`))

/**
 * The lines of the table, its columns of cost and its totals. Shown amounts of the first level add up across and down.
 * The whole table shows either whole dollars or cents.
 */
export function explorerLines(step: Step, levels: readonly string[]) {
  const [by = ''] = levels
  const given: Given[] = [
    ...step.rows.map(({ names, cost, compare, rows, rest }) => ({
      ...{ name: names[by] ?? '', by, isOwned: true, cost, compare },
      ...(rows ? { rows } : {}),
      ...(rest ? { rest } : {}),
    })),
    ...(step.rest.rows > 0
      ? [{ name: '__other__', by, isOwned: true, cost: step.rest.cost, compare: step.compare?.rest }]
      : []),
    ...unowned.flatMap((kind): Given[] => {
      const cost = step[kind]
      const compare = step.compare?.[kind] ?? undefined
      return cost ? [{ name: `__${kind}__`, by, isOwned: false, cost, compare }] : []
    }),
  ]
  const columns = costColumns(given.map(({ cost }) => cost))
  const sizes = given.map(({ cost }) => cost.total)
  const lines = linesOf(given, columns, { level: 0, parent: '', cluster: undefined, then: levels[1], sizes })
  const totals = addedUpTable(
    given.map(({ cost }) => columns.map(({ of }) => of(cost))),
    undefined,
    sizes,
  )
  return { lines, columns, totals, compared: comparedAmounts(given, sizes) }
}

const comparedAmounts = (given: readonly Pick<Line, 'compare'>[], sizes: readonly number[]) => ({
  previous: addedUp(
    given.map(({ compare }) => compare?.total ?? 0),
    sizes,
  ),
  changes: addedUpChanges(
    given.map(({ compare }) => compare?.difference ?? 0),
    sizes,
  ),
})

type Level = {
  level: 0 | 1
  parent: string
  /** The cluster of the row that contains the lines. */
  cluster: string | undefined
  then: string | undefined
  sizes: readonly number[]
}

function linesOf(given: readonly Given[], columns: readonly CostColumn[], place: Level): Line[] {
  const { level, parent, cluster, then, sizes } = place
  const { cells, rows } = addedUpTable(
    given.map(({ cost }) => columns.map(({ of }) => of(cost))),
    undefined,
    sizes,
  )
  const { previous, changes } = comparedAmounts(given, sizes)
  return given.map(({ rows: inner = [], rest, ...row }, index): Line => {
    const key = `${parent}/${row.name}`
    return {
      ...row,
      key,
      word: shortOwner(row.name, row.by),
      cluster,
      level,
      shown: {
        cells: (cells[index] ?? []).map((text, column) => (columns[column]?.of(row.cost) === 0 ? '–' : text)),
        total: rows[index] ?? '',
        previous: previous.parts[index] ?? '',
        change: changes.parts[index] ?? '',
        percent: percentText(row.compare?.percent),
        efficiency: percent(row.isOwned ? row.cost.efficiency : null),
      },
      lines:
        then === undefined
          ? []
          : linesOf(innerOf(inner, rest, then), columns, {
              ...{ level: 1, parent: key, then: undefined, sizes },
              cluster: row.by === 'cluster' ? row.name : undefined,
            }),
    }
  })
}

const innerOf = (rows: NonNullable<Row['rows']>, rest: Row['rest'], by: string): Given[] => [
  ...rows.map(({ names, cost, compare }) => {
    const name = names[by] ?? ''
    return { name, by, isOwned: !unownedNames.has(name), cost, compare }
  }),
  ...(rest && rest.rows > 0 ? [{ name: '__other__', by, isOwned: true, cost: rest.cost, compare: rest.compare }] : []),
]

export const percentText = (value: number | null | undefined) =>
  value === null || value === undefined ? '–' : signedPercent(value / 100)

export type SortColumn = { id: string; keyOf: (line: Line) => SortKey }

/** The columns after the name, by their place in the table. */
export const sortColumns = (columns: readonly CostColumn[], hasCompare: boolean): SortColumn[] => [
  { id: 'name', keyOf: ({ word }) => word },
  { id: 'compute', keyOf: ({ cost }) => cost.workload + cost.workload_idle + cost.cluster_idle },
  ...columns.map(({ header, of }) => ({
    id: header.toLowerCase().replaceAll(/[^a-z]+/g, '-'),
    keyOf: ({ cost }: Line) => of(cost),
  })),
  { id: 'total', keyOf: ({ cost }) => cost.total },
  ...(hasCompare
    ? [
        { id: 'previous', keyOf: ({ compare }: Line) => compare?.total ?? null },
        { id: 'change', keyOf: ({ compare }: Line) => compare?.difference ?? null },
        { id: 'percent', keyOf: ({ compare }: Line) => compare?.percent ?? null },
      ]
    : []),
  { id: 'efficiency', keyOf: ({ cost, isOwned }) => (isOwned ? cost.efficiency : null) },
]

/** `-total` is descending. Ids contain hyphens too. */
export function readSort(text: string | undefined): { id: string; isDescending: boolean } | null {
  if (text === undefined) return null
  return text.startsWith('-') ? { id: text.slice(1), isDescending: true } : { id: text, isDescending: false }
}

/** Rows of the second level follow their row, in the same order. */
export function orderLines(
  lines: readonly Line[],
  isOpen: (key: string) => boolean,
  order?: { keyOf: SortColumn['keyOf']; isDescending: boolean },
): Line[] {
  const sorted = order
    ? [...lines].sort((a, b) => compareKeys(order.keyOf(a), order.keyOf(b), order.isDescending))
    : lines
  return sorted.flatMap((line) => [line, ...(isOpen(line.key) ? orderLines(line.lines, isOpen, order) : [])])
}
