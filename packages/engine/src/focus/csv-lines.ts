import { formatDecimal } from '../decimal.ts'
import { focusColumns, type FocusColumn, type FocusVersion } from './columns.ts'
import type { FocusCharge, FocusRow } from './focus-row.ts'

const chargeColumns = (columns: readonly FocusColumn[]) =>
  columns.flatMap((column) => (column.from === 'charge' ? [column] : []))
const rowColumns = (columns: readonly FocusColumn[]) =>
  columns.flatMap((column) => (column.from === 'row' ? [column] : []))

/** The lines of rows in CSV. The first columns are those of the charge, so that each charge is written once. */
export class CsvLines {
  readonly header: string
  readonly #charge: ReturnType<typeof chargeColumns>
  readonly #row: ReturnType<typeof rowColumns>
  #last: { charge: FocusCharge; text: string } | undefined

  constructor(version: FocusVersion) {
    const columns = focusColumns(version)
    this.#charge = chargeColumns(columns)
    this.#row = rowColumns(columns)
    this.header = `${[...this.#charge, ...this.#row].map(({ name }) => name).join(',')}\r\n`
  }

  line(row: FocusRow): string {
    let text = this.#textOf(row.charge)
    for (const column of this.#row) text += `,${cell(column.of(row))}`
    return `${text}\r\n`
  }

  #textOf(charge: FocusCharge): string {
    if (this.#last?.charge === charge) return this.#last.text
    const text = this.#charge.map((column) => cell(column.of(charge))).join(',')
    this.#last = { charge, text }
    return text
  }
}

/** Null is an empty cell. An amount has a point: readers that guess types would otherwise take 0 for an integer. */
function cell(value: string | bigint | number | Date | null): string {
  if (value === null) return ''
  if (typeof value === 'bigint') return amountText(value)
  if (typeof value === 'number') return numberText(value)
  if (value instanceof Date) return timeText(value)
  return /[",\n\r]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}

function amountText(value: bigint): string {
  if (value === 0n) return '0.0'
  const amount = formatDecimal(value)
  return amount.includes('.') ? amount : `${amount}.0`
}

function numberText(value: number): string {
  if (Number.isInteger(value)) return `${value}.0`
  const shortest = String(value)
  return shortest.includes('e') ? shortest.replace('e', 'E') : shortest
}

const timeText = (value: Date) => value.toISOString().replace('.000Z', 'Z')
