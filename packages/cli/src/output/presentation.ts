import type { Cell } from './cells.ts'

export type Table = { readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[] }

/** A response for people: single figures, then a table. */
export type Presentation = {
  readonly facts?: readonly (readonly [label: string, cell: Cell])[]
  readonly table?: Table
}

export type Column<Row> = readonly [title: string, cell: (row: Row) => Cell]

export const tableOf = <Row>(rows: readonly Row[], columns: readonly Column<Row>[]): Table => ({
  columns: columns.map(([title]) => title),
  rows: rows.map((row) => columns.map(([, cell]) => cell(row))),
})
