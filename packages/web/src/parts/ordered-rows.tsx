import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'

type Props<Row> = {
  rows: readonly Row[]
  /** A new row. */
  empty: Row
  /** The text of the button that adds a row. */
  add: string
  /** The name of a row in the labels of its buttons. */
  nameOf: (row: Row, index: number) => string
  /** Whether the order matters, so that rows can move. */
  isOrdered?: boolean
  onChange: (rows: Row[]) => void
  children: (row: Row, index: number, change: (fields: Partial<Row>) => void) => ReactNode
}

/** A list of rows with fields, such as rules: add, remove, move up and down. */
export function OrderedRows<Row>({ rows, empty, add, nameOf, isOrdered = false, onChange, children }: Props<Row>) {
  const replace = (index: number, fields: Partial<Row>) => onChange(rows.with(index, { ...at(rows, index), ...fields }))
  return (
    <>
      <ol className="grid gap-3 mid:gap-2">
        {rows.map((row, index) => (
          <li key={index} className="flex flex-wrap items-center gap-2">
            {isOrdered && <span className="w-5 text-right text-sm text-ink-3">{index + 1}</span>}
            {children(row, index, (fields) => replace(index, fields))}
            {isOrdered && (
              <>
                <RowButton
                  label={`Move ${nameOf(row, index)} up`}
                  isDisabled={index === 0}
                  onClick={() => onChange(swapped(rows, index - 1))}
                >
                  ↑
                </RowButton>
                <RowButton
                  label={`Move ${nameOf(row, index)} down`}
                  isDisabled={index === rows.length - 1}
                  onClick={() => onChange(swapped(rows, index))}
                >
                  ↓
                </RowButton>
              </>
            )}
            <RowButton label={`Remove ${nameOf(row, index)}`} onClick={() => onChange(rows.toSpliced(index, 1))}>
              <Icon name="cross" />
            </RowButton>
          </li>
        ))}
      </ol>
      <button type="button" className="button button-small mt-2" onClick={() => onChange([...rows, empty])}>
        {add}
      </button>
    </>
  )
}

type ButtonProps = { label: string; isDisabled?: boolean; onClick: () => void; children: ReactNode }

function RowButton({ label, isDisabled = false, onClick, children }: ButtonProps) {
  return (
    <button
      type="button"
      className="button button-small"
      aria-label={label}
      title={label}
      disabled={isDisabled}
      onClick={onClick}
    >
      {children}
    </button>
  )
}

function at<Row>(rows: readonly Row[], index: number): Row {
  const row = rows[index]
  if (row === undefined) throw new Error('no such row')
  return row
}

/** The row and the next one change places. */
const swapped = <Row,>(rows: readonly Row[], index: number): Row[] =>
  rows.toSpliced(index, 2, at(rows, index + 1), at(rows, index))
