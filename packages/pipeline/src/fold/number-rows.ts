import { VarintReader, VarintWriter } from './varints.ts'

/** Rows of integers in one growing typed array: cheap to append to and to hold. */
export class NumberRows {
  readonly #width: number
  #values: Float64Array
  #count = 0

  constructor(width: number) {
    this.#width = width
    this.#values = new Float64Array(4 * width)
  }

  get count(): number {
    return this.#count
  }

  /** Appends zeroed rows and returns the number of the first. */
  push(rows = 1): number {
    const first = this.#count
    this.#count += rows
    if (this.#count * this.#width > this.#values.length) {
      const values = new Float64Array(2 * this.#count * this.#width)
      values.set(this.#values)
      this.#values = values
    }
    return first
  }

  get(row: number, column: number): number {
    return this.#values[row * this.#width + column] ?? 0
  }

  add(row: number, column: number, value: number): void {
    const at = row * this.#width + column
    this.#values[at] = (this.#values[at] ?? 0) + value
  }

  raise(row: number, column: number, value: number): void {
    const at = row * this.#width + column
    if (value > (this.#values[at] ?? 0)) this.#values[at] = value
  }

  save(): string {
    const writer = new VarintWriter()
    for (let at = 0; at < this.#count * this.#width; at += 1) writer.write(this.#values[at] ?? 0)
    return writer.finish().toString('base64')
  }

  static load(width: number, saved: string): NumberRows {
    const rows = new NumberRows(width)
    const reader = new VarintReader(Buffer.from(saved, 'base64'))
    while (!reader.isAtEnd) {
      const row = rows.push()
      for (let column = 0; column < width; column += 1) rows.add(row, column, reader.read())
    }
    return rows
  }
}
