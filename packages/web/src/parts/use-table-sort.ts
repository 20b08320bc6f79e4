import { useLayoutEffect, useState, type RefObject } from 'react'
import { compareKeys, sortKeyOf, type SortKey } from './sort-key.ts'

export type TableSort = { column: number; isDescending: boolean }

type Options<Row> = { rows: readonly Row[]; rowKey: (row: Row) => string; box: RefObject<HTMLElement | null> }

type Sorted<Row> = {
  /** Each row with its place in `rows`. */
  shown: { row: Row; index: number }[]
  sort: TableSort | null
  sortBy: (next: TableSort | null) => void
}

/** Sorts the rows by the text of their cells, so that every table is sortable as it is shown. */
export function useTableSort<Row>({ rows, rowKey, box }: Options<Row>): Sorted<Row> {
  const [sort, setSort] = useState<TableSort | null>(null)
  const [keys, setKeys] = useState<ReadonlyMap<string, SortKey>>(new Map())
  useLayoutEffect(() => {
    if (sort === null || !box.current) return
    const read = readKeys(box.current, sort.column)
    // The text of a cell is known only after it is drawn.
    setKeys((known) => (isSame(known, read) ? known : read))
  }, [rows, sort, box])
  const placed = rows.map((row, index) => ({ row, index, key: keys.get(rowKey(row)) ?? null }))
  const shown =
    sort === null ? placed : placed.sort((a, b) => compareKeys(a.key, b.key, sort.isDescending) || a.index - b.index)
  return { shown, sort, sortBy: setSort }
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
