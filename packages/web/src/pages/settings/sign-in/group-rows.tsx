import type { ReactNode } from 'react'
import { OrderedRows } from '../../../parts/ordered-rows.tsx'

type Props<Row extends { group: string }> = {
  rows: readonly Row[]
  /** A new row. */
  empty: Row
  /** The text of the button that adds a row. */
  add: string
  /** Whether the first match decides. */
  isOrdered?: boolean
  onChange: (rows: Row[]) => void
  children: (row: Row, change: (fields: Partial<Row>) => void) => ReactNode
}

/** A list of groups with the fields of each of them. */
export function GroupRows<Row extends { group: string }>({ children, ...list }: Props<Row>) {
  return (
    <OrderedRows {...list} nameOf={({ group }) => group}>
      {(row, index, change) => (
        <>
          <input
            className="input w-64"
            aria-label={`Group ${index + 1}`}
            placeholder="Group"
            required
            maxLength={500}
            value={row.group}
            onChange={(event) => change({ group: event.target.value } as Partial<Row>)}
          />
          {children(row, change)}
        </>
      )}
    </OrderedRows>
  )
}
