import { useLayoutEffect, useState, type RefObject } from 'react'
import { compareKeys, sortKeyOf, type SortKey } from './sort-key.ts'

export type TableSort = { column: number; isDescending: boolean }

type Options<Row> = {
  rows: readonly Row[]
  rowKey: (row: Row) => string
  columns: readonly { header: unknown; sortBy?: (row: Row) => SortKey }[]
  box: RefObject<HTMLElement | null>
}

type Sorted<Row> = {
  /** Each row with its place in `rows`. */
  shown: { row: Row; index: number }[]
  sort: TableSort | null
  sortBy: (next: TableSort | null) => void
}

/** Sorts the rows by the values of a column, or by the text of its cells, so that every table is sortable. */
export function useTableSort<Row>({ rows, rowKey, columns, box }: Options<Row>): Sorted<Row> {
  const [chosen, setChosen] = useState<(TableSort & { header: unknown }) | null>(null)
  const sort = chosen && placeOf(chosen, columns)
  const sortBy = sort ? columns[sort.column]?.sortBy : undefined
  const [keys, setKeys] = useState<ReadonlyMap<string, SortKey>>(new Map())
  const column = sort?.column
  const hasValues = sortBy !== undefined
  useLayoutEffect(() => {
    if (column === undefined || hasValues || !box.current) return
    const read = readKeys(box.current, column)
    // The text of a cell is known only after it is drawn.
    setKeys((known) => (isSame(known, read) ? known : read))
  }, [rows, column, hasValues, box])
  const placed = rows.map((row, index) => ({ row, index, key: sortBy ? sortBy(row) : (keys.get(rowKey(row)) ?? null) }))
  const shown =
    sort === null ? placed : placed.sort((a, b) => compareKeys(a.key, b.key, sort.isDescending) || a.index - b.index)
  const choose = (next: TableSort | null) => setChosen(next && { ...next, header: columns[next.column]?.header })
  return { shown, sort, sortBy: choose }
}

/** Columns can come and go; the sorted one is found by its heading. */
function placeOf(
  { header, column, isDescending }: TableSort & { header: unknown },
  columns: readonly { header: unknown }[],
): TableSort | null {
  if (typeof header !== 'string') return { column, isDescending }
  const place = columns.findIndex((each) => each.header === header)
  return place < 0 ? null : { column: place, isDescending }
}

const readKeys = (box: HTMLElement, column: number): Map<string, SortKey> =>
  new Map(
    [...box.querySelectorAll<HTMLTableRowElement>('tbody > tr')].map((row) => [
      row.dataset.key ?? '',
      sortKeyOf(row.cells[column]?.textContent ?? ''),
    ]),
  )

const isSame = (a: ReadonlyMap<string, SortKey>, b: ReadonlyMap<string, SortKey>) =>
  a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)

/** Amounts start with the largest, names with the first. The third click restores the order of the page. */
export function nextSort(sort: TableSort | null, column: number, isAmount: boolean): TableSort | null {
  if (sort?.column !== column) return { column, isDescending: isAmount }
  return sort.isDescending === isAmount ? { column, isDescending: !isAmount } : null
}
