import type { ReactNode } from 'react'

export type Column<Row> = {
  header: ReactNode
  cell: (row: Row) => ReactNode
  align?: 'end'
  className?: string
}

type Props<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowKey: (row: Row) => string
  footer?: ReactNode
}

export function Table<Row>({ label, columns, rows, rowKey, footer }: Props<Row>) {
  const classOf = ({ align, className = '' }: Column<Row>) => `${align === 'end' ? 'num' : ''} ${className}`
  return (
    // A wide table scrolls by itself; with the keyboard that needs a place for the focus.
    <div className="table-scroll" tabIndex={0} role="region" aria-label={label}>
      <table className="table">
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
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              {columns.map((column, index) => (
                <td key={index} className={classOf(column)}>
                  {column.cell(row)}
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
