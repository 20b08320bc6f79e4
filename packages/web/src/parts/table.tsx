import type { ReactNode } from 'react'
import { useFittingTable } from './use-fitting-table.ts'

export type Column<Row> = {
  header: ReactNode
  /** `index` is the row index: amounts that add up to a total are computed for all rows at once. */
  cell: (row: Row, index: number) => ReactNode
  align?: 'end'
  className?: string
}

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
}: Props<Row>) {
  const box = useFittingTable(isStacked)
  const classOf = ({ align, className = '' }: Column<Row>) => `${align === 'end' ? 'num' : ''} ${className}`
  const headingOf = ({ header }: Column<Row>) => (typeof header === 'string' ? { 'data-heading': header } : {})
  return (
    // A wide table scrolls; keyboard scrolling needs a focusable element.
    <div ref={box} className="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table className={isBrief ? 'table table-brief' : 'table'}>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col" className={classOf(column)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={rowKey(row)} className={isAlarming?.(row) ? 'row-danger' : isChosen?.(row) ? 'row-chosen' : ''}>
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

/** Long tables start with a few rows. */
export function ShowAll({ shown, all, onShow }: { shown: number; all: number; onShow: () => void }) {
  if (shown >= all) return null
  return (
    <button type="button" className="button mt-3" onClick={onShow}>
      Show all {all}
    </button>
  )
}
