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

/** The lines of the table, its columns of cost and its totals. Shown amounts add up across and down. */
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
  const lines = linesOf(given, columns, { level: 0, parent: '', then: levels[1] })
  const shown = addedUpTable(given.map(({ cost }) => columns.map(({ of }) => of(cost))))
  return { lines, columns, totals: shown }
}

type Place = { level: 0 | 1; parent: string; then: string | undefined }

function linesOf(given: readonly Given[], columns: readonly CostColumn[], { level, parent, then }: Place): Line[] {
  const { cells, rows } = addedUpTable(given.map(({ cost }) => columns.map(({ of }) => of(cost))))
  const previous = addedUp(given.map(({ compare }) => compare?.total ?? 0)).parts
  const changes = addedUpChanges(given.map(({ compare }) => compare?.difference ?? 0)).parts
  return given.map(({ rows: inner = [], rest, ...row }, index): Line => {
    const key = `${parent}/${row.name}`
    return {
      ...row,
      key,
      word: shortOwner(row.name, row.by),
      level,
      shown: {
        cells: (cells[index] ?? []).map((text, column) => (columns[column]?.of(row.cost) === 0 ? '–' : text)),
        total: rows[index] ?? '',
        previous: previous[index] ?? '',
        change: changes[index] ?? '',
        percent: percentText(row.compare?.percent),
        efficiency: percent(row.isOwned ? row.cost.efficiency : null),
      },
      lines:
        then === undefined
          ? []
          : linesOf(innerOf(inner, rest, then), columns, { level: 1, parent: key, then: undefined }),
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
