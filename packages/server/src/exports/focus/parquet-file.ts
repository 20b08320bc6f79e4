import { DECIMAL_PLACES } from '@plimsoll/engine'
import { focusColumns, type FocusColumn, type FocusRow } from '@plimsoll/engine/focus'
import { ByteWriter, ParquetWriter, type ColumnSource, type SchemaElement } from 'hyparquet-writer'
import type { ByteSink } from './byte-sink.ts'
import type { FocusRequest, FocusTotals } from './focus-request.ts'

/** More rows need more memory, fewer make larger files. */
const rowsInGroup = 20_000
const decimalBytes = 16
const decimalDigits = 38

const convertedDecimal = { converted_type: 'DECIMAL', precision: decimalDigits, scale: DECIMAL_PLACES } as const

/** Columns by which readers skip parts of a file. */
const withStatistics: ReadonlySet<string> = new Set([
  'BillingPeriodStart',
  'ChargePeriodStart',
  'SubAccountId',
  'x_Namespace',
])

/** Amounts are decimals with all their digits, quantities are doubles. */
export class ParquetFile {
  readonly #columns: readonly FocusColumn[]
  readonly #schema: SchemaElement[]
  readonly #sink: ByteSink
  readonly #bytes = new ByteWriter()
  readonly #writer: ParquetWriter
  /** Written at the end of the file, and therefore filled until then. */
  readonly #metadata: { key: string; value: string }[] = []
  #pending: FocusRow[] = []

  constructor({ version }: Pick<FocusRequest, 'version'>, sink: ByteSink) {
    this.#columns = focusColumns(version)
    this.#sink = sink
    this.#schema = [{ name: 'root', num_children: this.#columns.length }, ...this.#columns.map(schemaOf)]
    this.#writer = new ParquetWriter({
      writer: this.#bytes,
      schema: this.#schema,
      kvMetadata: this.#metadata,
      createdBy: 'plimsoll',
    })
  }

  async add(rows: readonly FocusRow[]): Promise<void> {
    for (const row of rows) {
      this.#pending.push(row)
      if (this.#pending.length === rowsInGroup) await this.#writeGroup()
    }
  }

  async end(totals: FocusTotals): Promise<void> {
    if (this.#pending.length > 0) await this.#writeGroup()
    // Readers expect it, but it would make the writer convert the values again, one byte after the other.
    for (const element of this.#schema)
      if (element.logical_type?.type === 'DECIMAL') Object.assign(element, convertedDecimal)
    this.#metadata.push({ key: 'plimsoll.totals', value: JSON.stringify(totals) })
    await this.#writer.finish()
    await this.#flush()
  }

  async #writeGroup(): Promise<void> {
    const rows = this.#pending
    this.#pending = []
    await this.#writer.write({
      columnData: this.#columns.map((column) => columnOf(column, rows)),
      rowGroupSize: rowsInGroup,
    })
    await this.#flush()
  }

  async #flush(): Promise<void> {
    const bytes = this.#bytes.getBytes().slice()
    this.#bytes.index = 0
    await this.#sink.write(bytes)
  }
}

function schemaOf({ name, type }: FocusColumn): SchemaElement {
  const column = { name, repetition_type: 'OPTIONAL' } as const
  if (type === 'text') return { ...column, type: 'BYTE_ARRAY', converted_type: 'UTF8' }
  if (type === 'number') return { ...column, type: 'DOUBLE' }
  if (type === 'time') return { ...column, type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }
  const decimal = { type: 'DECIMAL', precision: decimalDigits, scale: DECIMAL_PLACES } as const
  return { ...column, type: 'FIXED_LEN_BYTE_ARRAY', type_length: decimalBytes, logical_type: decimal }
}

function columnOf(column: FocusColumn, rows: readonly FocusRow[]): ColumnSource {
  const { name } = column
  const isAmountOfRow = column.from === 'row' && column.type === 'decimal'
  return {
    name,
    data: column.from === 'charge' ? valuesOfCharges(column, rows) : valuesOfRows(column, rows),
    statistics: withStatistics.has(name),
    // The amounts of rows differ, so a dictionary of them would be built in vain.
    ...(isAmountOfRow ? { encoding: 'PLAIN' } : {}),
  }
}

function valuesOfCharges(column: Extract<FocusColumn, { from: 'charge' }>, rows: readonly FocusRow[]): unknown[] {
  let last: { charge: FocusRow['charge']; value: unknown } | undefined
  return rows.map(({ charge }) => {
    if (last?.charge !== charge) last = { charge, value: stored(column.of(charge)) }
    return last.value
  })
}

function valuesOfRows(column: Extract<FocusColumn, { from: 'row' }>, rows: readonly FocusRow[]): unknown[] {
  if (column.type !== 'decimal') return rows.map((row) => column.of(row))
  const all = new DataView(new ArrayBuffer(rows.length * decimalBytes))
  return rows.map((row, index) => decimalIn(all, index * decimalBytes, column.of(row) ?? 0n))
}

function stored(value: string | bigint | number | Date | null): unknown {
  return typeof value === 'bigint' ? decimalIn(new DataView(new ArrayBuffer(decimalBytes)), 0, value) : value
}

/** Big-endian two's complement. */
function decimalIn(view: DataView, at: number, value: bigint): Uint8Array {
  view.setBigInt64(at, value >> 64n)
  view.setBigUint64(at + 8, BigInt.asUintN(64, value))
  return new Uint8Array(view.buffer, at, decimalBytes)
}
