import type { ReactNode } from 'react'
import { Icon } from '../../../parts/icon.tsx'

type Props<Row extends { group: string }> = {
  rows: readonly Row[]
  /** A new row. */
  empty: Row
  /** The text of the button that adds a row. */
  add: string
  /** Whether rows can move up. */
  isOrdered?: boolean
  onChange: (rows: Row[]) => void
  children: (row: Row, change: (fields: Partial<Row>) => void) => ReactNode
}

/** A list of groups with the fields of each of them. */
export function GroupRows<Row extends { group: string }>({
  rows,
  empty,
  add,
  isOrdered = false,
  onChange,
  children,
}: Props<Row>) {
  const replace = (index: number, fields: Partial<Row>) => onChange(rows.with(index, { ...at(rows, index), ...fields }))
  return (
    <>
      <ul className="grid gap-2">
        {rows.map((row, index) => (
          <li key={index} className="flex flex-wrap items-center gap-2">
            <input
              className="input w-64"
              aria-label={`Group ${index + 1}`}
              placeholder="Group"
              required
              maxLength={500}
              value={row.group}
              onChange={(event) => replace(index, { group: event.target.value } as Partial<Row>)}
            />
            {children(row, (fields) => replace(index, fields))}
            {isOrdered && index > 0 && (
              <button
                type="button"
                className="button button-small"
                aria-label={`Move ${row.group} up`}
                onClick={() => onChange(movedUp(rows, index))}
              >
                Up
              </button>
            )}
            <button
              type="button"
              className="button button-small"
              aria-label={`Remove ${row.group}`}
              onClick={() => onChange(rows.toSpliced(index, 1))}
            >
              <Icon name="cross" />
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="button button-small mt-2" onClick={() => onChange([...rows, empty])}>
        {add}
      </button>
    </>
  )
}

function at<Row>(rows: readonly Row[], index: number): Row {
  const row = rows[index]
  if (row === undefined) throw new Error('no such row')
  return row
}

const movedUp = <Row,>(rows: readonly Row[], index: number): Row[] =>
  rows.toSpliced(index - 1, 2, at(rows, index), at(rows, index - 1))
