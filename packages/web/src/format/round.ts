export const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)

/**
 * Amounts of the API have six decimals, and a sum of them is off by a few millionths. Without this, 51.315 is rounded up and the
 * sum 51.31499999 of its parts is rounded down.
 */
const settled = (value: number) => Math.round(value * 1000) / 1000

/** Halves are rounded away from zero, as by Intl. Without the minus sign of a zero. */
export const whole = (value: number) => Math.sign(value) * Math.round(settled(Math.abs(value))) + 0

const floor = (value: number) => Math.floor(settled(value))

/**
 * Whole numbers whose sum is the rounded sum of the exact parts. Largest remainder: the missing units go to the parts that lost
 * most by rounding down, so each result differs from its part by less than one.
 */
export function roundTogether(parts: readonly number[], total = whole(sumOf(parts))): number[] {
  const rounded = parts.map(floor)
  const missing = total - sumOf(rounded)
  const byLoss = parts.map((part, index) => ({ index, loss: part - floor(part) })).sort((a, b) => b.loss - a.loss)
  for (const { index } of byLoss.slice(0, Math.max(0, missing))) rounded[index] = (rounded[index] ?? 0) + 1
  return rounded
}

export type RoundedTable = { cells: number[][]; rows: number[]; columns: number[]; total: number }

/**
 * Whole numbers for a table with totals: cells add up across to their row and down to their column, and both totals add up to
 * the rounded sum of all cells, or to a rounded sum that is shown elsewhere too. Each cell differs from its exact value by less
 * than two.
 */
export function roundTable(
  exact: readonly (readonly number[])[],
  pinned?: PinnedRow,
  total = whole(sumOf(exact.flat())),
): RoundedTable {
  const width = exact[0]?.length ?? 0
  const columnSums = Array.from({ length: width }, (_each, column) => sumOf(exact.map((row) => row[column] ?? 0)))
  const rows = roundRows(
    exact.map((row) => sumOf(row)),
    total,
    pinned,
  )
  const columns = roundTogether(columnSums, total)
  return { cells: new MissingUnits(exact, rows, columns).distribute(), rows, columns, total }
}

/** A row whose rounded total is shown elsewhere too, so it is given. */
export type PinnedRow = { row: number; units: number }

function roundRows(sums: readonly number[], total: number, pinned: PinnedRow | undefined): number[] {
  if (!pinned) return roundTogether(sums, total)
  const others = roundTogether(sums.toSpliced(pinned.row, 1), total - pinned.units)
  return others.toSpliced(pinned.row, 0, pinned.units)
}

type Cell = { row: number; column: number; loss: number }

/**
 * Cells are first rounded down. The missing units of rows and columns go to the cells that lost most, one unit each.
 */
class MissingUnits {
  readonly #cells: number[][]
  readonly #raised: boolean[][]
  readonly #losses: Cell[]
  readonly #ofRow: number[]
  readonly #ofColumn: number[]

  constructor(exact: readonly (readonly number[])[], rows: readonly number[], columns: readonly number[]) {
    this.#cells = exact.map((row) => row.map(floor))
    this.#raised = exact.map((row) => row.map(() => false))
    this.#losses = exact
      .flatMap((cells, row) => cells.map((value, column) => ({ row, column, loss: settled(value) - floor(value) })))
      .filter(({ loss }) => loss > 0)
      .sort((a, b) => b.loss - a.loss)
    this.#ofRow = rows.map((value, row) => value - sumOf(this.#cells[row] ?? []))
    this.#ofColumn = columns.map((value, column) => value - sumOf(this.#cells.map((row) => row[column] ?? 0)))
  }

  distribute(): number[][] {
    for (const { row, column } of this.#losses) {
      if (this.#missesRow(row) && this.#missesColumn(column)) this.#raise(row, column)
    }
    for (const row of this.#ofRow.keys()) while (this.#missesRow(row)) this.#raiseThroughAnother(row)
    return this.#cells
  }

  readonly #missesRow = (row: number) => (this.#ofRow[row] ?? 0) > 0
  readonly #missesColumn = (column: number) => (this.#ofColumn[column] ?? 0) > 0

  #raise(row: number, column: number, by = 1): void {
    const cells = this.#cells[row] ?? []
    cells[column] = (cells[column] ?? 0) + by
    const raised = this.#raised[row] ?? []
    raised[column] = by > 0
    this.#ofRow[row] = (this.#ofRow[row] ?? 0) - by
    this.#ofColumn[column] = (this.#ofColumn[column] ?? 0) - by
  }

  /** No remaining cell misses a unit in both its row and its column, so a unit of another row moves. */
  #raiseThroughAnother(row: number): void {
    const column = this.#ofColumn.findIndex((missing) => missing > 0)
    const isFree = ({ row: at, column: of }: Cell) => this.#raised[at]?.[of] === false
    const free = this.#losses.filter(isFree)
    for (const own of free.filter((cell) => cell.row === row)) {
      const other = free.find((cell) => cell.column === column && this.#raised[cell.row]?.[own.column] === true)
      if (!other) continue
      this.#raise(other.row, own.column, -1)
      this.#raise(other.row, other.column)
      return this.#raise(row, own.column)
    }
    this.#raise(row, column)
  }
}

/** The difference of two figures as a reader computes it from their shown whole numbers. */
export const wholeDifference = (from: number, less: number) => whole(from) - whole(less)
