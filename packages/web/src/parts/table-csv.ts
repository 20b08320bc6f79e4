import type { Column, CsvValue } from './table.tsx'

/** A column before those of the screen, such as the period or the cluster. */
export type LeadColumn<Row> = readonly [header: string, of: (row: Row) => CsvValue]

/** The period and the cluster of all rows of a table. */
export const periodAndCluster = (
  { from, to }: { from: string; to: string },
  cluster: string,
): readonly LeadColumn<unknown>[] => [
  ['From', () => from],
  ['To', () => to],
  ['Cluster', () => cluster],
]

/** The columns of the screen with all digits. Bars and buttons have no value. */
export function tableCsv<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  lead: readonly LeadColumn<Row>[],
): string[][] {
  const own = columns.flatMap(({ header, csv, csvHeader }) =>
    csv ? [{ header: csvHeader ?? (typeof header === 'string' ? header : ''), of: csv }] : [],
  )
  return [
    [...lead.map(([header]) => header), ...own.map(({ header }) => header)],
    ...rows.map((row) => [...lead.map(([, of]) => of(row)), ...own.map(({ of }) => of(row))].map(text)),
  ]
}

/** An unknown value is an empty cell, not 0. */
const text = (value: CsvValue) => (value === null || value === undefined ? '' : String(value))
