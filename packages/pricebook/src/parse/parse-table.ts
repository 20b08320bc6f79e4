import { nanoPerUsd } from '../money.ts'
import { isAmount, isRecord, isText, type Report } from './parse-fields.ts'
import { keyOf, type Table } from '../price-book.ts'
import { type Column, tableColumns, tableKeys, type Row, type TableName } from './table-columns.ts'

type Field = string | number | undefined
type ParsedColumn = { length: number; at: (row: number) => Field }

const noColumn: ParsedColumn = { length: 0, at: () => undefined }

/** Problems of a table are reported; then the table must not be used. */
export function parseTable<T extends TableName>(
  name: T,
  tables: Record<string, unknown>,
  report: Report,
): Table<Row<T>> {
  const table = tables[name]
  if (!isRecord(table)) report(`table ${name} is missing`)
  const columns = Object.entries<Column>(tableColumns[name]).map(([field, column]) => {
    const raw = isRecord(table) ? table[field] : undefined
    const reportHere: Report = (problem) => report(`${name}.${field} ${problem}`)
    const parsed = column.kind === 'text' ? parseTexts(column, raw, reportHere) : parseNumbers(column, raw, reportHere)
    return [field, parsed] as const
  })
  const length = columns[0]?.[1].length ?? 0
  if (columns.some(([, column]) => column.length !== length)) report(`table ${name} has columns of different length`)

  const rowAt = (at: number) => {
    const row: Record<string, Field> = {}
    for (const [field, column] of columns) row[field] = column.at(at)
    return row as Row<T>
  }
  const byField = new Map<string, ParsedColumn>(columns)
  const keyColumns = tableKeys[name].map((field) => byField.get(field) ?? noColumn)
  // Built on first use, because most processes do not read every table.
  let index: Map<string, number[]> | undefined
  return { rowsOf: (key) => (index ??= indexRows(length, keyColumns)).get(key) ?? [], rowAt }
}

function indexRows(length: number, keyColumns: ParsedColumn[]): Map<string, number[]> {
  const rows = new Map<string, number[]>()
  for (let at = 0; at < length; at++) {
    const key = keyOf(...keyColumns.map((column) => String(column.at(at))))
    const known = rows.get(key)
    if (known) known.push(at)
    else rows.set(key, [at])
  }
  return rows
}

function parseTexts(column: Column, raw: unknown, report: Report): ParsedColumn {
  const { words, at } = isRecord(raw) ? raw : {}
  if (!Array.isArray(words) || !Array.isArray(at) || !words.every(isText)) {
    report('is not a column of strings')
    return noColumn
  }
  const lowest = column.optional ? -1 : 0
  const isPosition = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= lowest
  if (!at.every((value) => isPosition(value) && (value as number) < words.length))
    report('refers to a string that does not exist')
  const positions = at as number[]
  return { length: at.length, at: (row) => words[positions[row] ?? -1] }
}

function parseNumbers(column: Exclude<Column, { kind: 'text' }>, raw: unknown, report: Report): ParsedColumn {
  if (!Array.isArray(raw)) {
    report('is not a column of numbers')
    return noColumn
  }
  const values = raw as unknown[]
  const isFine =
    column.kind === 'usd' ? isNanoUsd(column.max) : (value: unknown) => value === 0 || isAmount(value, column.max)
  const wrong = values.findIndex((value) => (value === null ? !column.optional : !isFine(value)))
  if (wrong !== -1) report(`has ${JSON.stringify(values[wrong])} in row ${wrong}`)
  return { length: values.length, at: (row) => (values[row] as number | null | undefined) ?? undefined }
}

function isNanoUsd(usdMax: number): (value: unknown) => boolean {
  const max = usdMax * nanoPerUsd
  return (value) => Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= max
}
