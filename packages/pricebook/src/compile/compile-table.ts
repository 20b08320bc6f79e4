import type { NumberColumn, TableBody, TextColumn } from '../parse/book-format.ts'
import { nanoPerUsd, parseNanoUsd } from '../money.ts'
import type { Column, Columns } from '../parse/table-columns.ts'
import type { CsvRow } from './read-csv.ts'

/**
 * Converts rows of text to columns, in the order of the rows. Throws with column and row if a value cannot be read
 * exactly.
 */
export function compileTable(columns: Columns, rows: CsvRow[]): TableBody {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [
      name,
      column.kind === 'text' ? compileTexts(column, rows) : rows.map((row, at) => compileNumber(column, row, at)),
    ]),
  )
}

function compileTexts(column: Column, rows: CsvRow[]): TextColumn {
  const positions = new Map<string, number>()
  const at = rows.map((row, line) => {
    const text = fieldOf(row, column, line)
    if (text === '') return -1
    const known = positions.get(text) ?? positions.size
    positions.set(text, known)
    return known
  })
  return { words: [...positions.keys()], at }
}

type NumericColumn = Exclude<Column, { kind: 'text' }>

function compileNumber(column: NumericColumn, row: CsvRow, line: number): NumberColumn[number] {
  const field = fieldOf(row, column, line)
  const text = column.kind === 'number' && column.within ? (column.within.exec(field)?.[1] ?? '') : field
  if (text === '') return null
  const value = column.kind === 'usd' ? parseNanoUsd(text) : parseDecimal(text)
  const max = column.kind === 'usd' ? column.max * nanoPerUsd : column.max
  if (value > max) throw new RangeError(`row ${line + 2}: ${column.csv} of ${text} is implausible`)
  return value
}

function fieldOf(row: CsvRow, column: Column, line: number): string {
  const text = row[column.csv]
  if (text === undefined) throw new Error(`column ${column.csv} is missing`)
  if (text === '' && !column.optional) throw new Error(`row ${line + 2}: ${column.csv} is empty`)
  return text
}

export function parseDecimal(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text)) throw new RangeError(`'${text}' is not a number`)
  return Number(text)
}
