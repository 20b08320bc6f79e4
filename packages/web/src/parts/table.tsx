import { isValidElement, type ReactNode } from 'react'
import type { SortKey } from './sort-key.ts'
import { useFittingTable } from './use-fitting-table.ts'
import { nextSort, useTableSort, type TableSort } from './use-table-sort.ts'

export type Column<Row> = {
  header: ReactNode
  /** `index` is the row index: amounts that add up to a total are computed for all rows at once. */
  cell: (row: Row, index: number) => ReactNode
  align?: 'end'
  className?: string
  /** A column of buttons or bars has no order. */
  isUnsortable?: boolean
  /** The value of a cell, if its text is not enough to sort by. */
  sortBy?: (row: Row) => SortKey
  /** The value in a CSV file, with all digits. Without it the file omits the column. */
  csv?: (row: Row) => CsvValue
  /** The heading in a CSV file, if the heading of the screen has no unit. */
  csvHeader?: string
}

export type CsvValue = string | number | null | undefined

type Props<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  footer?: ReactNode
  /** Highlights rows that need attention. */
  isAlarming?: (row: Row) => boolean
  /** Highlights the subject of the page. */
  isChosen?: (row: Row) => boolean
  /** On a phone each row becomes a small list: its first cell as title, the others with their headings. */
  isStacked?: boolean
  /** Shows that list as one paragraph, without headings. */
  isBrief?: boolean
  /** For pages that order the rows themselves, such as nested rows. Without it the table sorts them. */
  order?: { sort: TableSort | null; onSort: (next: TableSort | null) => void }
}

export function Table<Row>({
  label,
  columns,
  rows,
  rowKey,
  footer,
  isAlarming,
  isChosen,
  isStacked = false,
  isBrief = false,
  order,
}: Props<Row>) {
  const box = useFittingTable(isStacked)
  const own = useTableSort({ rows, rowKey, columns, box })
  const { sort, onSort } = order ?? { sort: own.sort, onSort: own.sortBy }
  const shown = order ? rows.map((row, index) => ({ row, index })) : own.shown
  const classOf = ({ align, className = '' }: Column<Row>) => `${align === 'end' ? 'num' : ''} ${className}`
  const headingOf = ({ header }: Column<Row>) => (typeof header === 'string' ? { 'data-heading': header } : {})
  return (
    // A wide table scrolls; keyboard scrolling needs a focusable element.
    <div ref={box} className="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table className={isBrief ? 'table table-brief' : 'table'}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th
                key={index}
                scope="col"
                className={classOf(column)}
                aria-sort={isSortable(column) ? ariaSort(sort, index) : undefined}
              >
                {isSortable(column) ? (
                  <button
                    type="button"
                    className="sort"
                    onClick={() => onSort(nextSort(sort, index, column.align === 'end'))}
                  >
                    {column.header}
                    <SortArrow sort={sort} column={index} />
                  </button>
                ) : (
                  column.header
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ row, index: at }) => (
            <tr
              key={rowKey(row)}
              data-key={rowKey(row)}
              className={isAlarming?.(row) ? 'row-danger' : isChosen?.(row) ? 'row-chosen' : ''}
            >
              {columns.map((column, index) => (
                <td key={index} className={classOf(column)} {...headingOf(column)}>
                  {column.cell(row, at)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {footer !== undefined && <tfoot>{footer}</tfoot>}
      </table>
    </div>
  )
}

/** Actions have a hidden heading. */
function isSortable<Row>({ header, isUnsortable = false }: Column<Row>): boolean {
  if (isUnsortable || header === '' || header === undefined) return false
  return !(isValidElement<{ className?: string }>(header) && header.props.className === 'sr-only')
}

function ariaSort(sort: TableSort | null, column: number) {
  if (sort?.column !== column) return 'none'
  return sort.isDescending ? 'descending' : 'ascending'
}

function SortArrow({ sort, column }: { sort: TableSort | null; column: number }) {
  if (sort?.column !== column) return null
  return <span aria-hidden="true">{sort.isDescending ? ' ↓' : ' ↑'}</span>
}

/** Long tables start with a few rows. */
export function ShowAll({ shown, all, onShow }: { shown: number; all: number; onShow: () => void }) {
  if (shown >= all) return null
  return (
    <button type="button" className="button mt-3" onClick={onShow}>
      Show all {all}
    </button>
  )
}
