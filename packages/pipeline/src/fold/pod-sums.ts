import { RESOURCES } from '@plimsoll/engine'
import type { SpanColumns } from '@plimsoll/engine/allocation'
import { NumberRows } from './number-rows.ts'

/** Of each resource in turn. */
export const podUseColumns = ['request', 'usage', 'alloc', 'used', 'known'] as const

const width = 1 + RESOURCES.length * podUseColumns.length

export type SavedPodSums = { uids: string[]; rows: string }

/** The quantities of each pod in one hour, in unit-seconds; seconds come first, then `podUseColumns` of each resource. */
export class PodSums {
  readonly #numbers = new Map<string, number>()
  #rows = new NumberRows(width)

  /** Adds the rows of a pod, which lived this many seconds in the allocated window. */
  // eslint-disable-next-line @typescript-eslint/max-params -- an inner loop: an object per call is garbage
  add(uid: string, { lanes }: SpanColumns, firstRow: number, lastRow: number, seconds: number): void {
    let row = this.#numbers.get(uid)
    if (row === undefined) this.#numbers.set(uid, (row = this.#rows.push()))
    this.#rows.add(row, 0, seconds)
    let column = 1
    for (const resource of RESOURCES) {
      const { request, usage, alloc, used, known } = lanes[resource]
      for (let index = firstRow; index < lastRow; index += 1) {
        this.#rows.add(row, column, (request[index] ?? 0) * seconds)
        this.#rows.add(row, column + 1, (usage[index] ?? 0) * seconds)
        this.#rows.add(row, column + 2, alloc[index] ?? 0)
        this.#rows.add(row, column + 3, used[index] ?? 0)
        this.#rows.add(row, column + 4, known[index] === 1 ? seconds : 0)
      }
      column += podUseColumns.length
    }
  }

  /** Seconds, then `podUseColumns` of each resource. */
  get rows(): { uid: string; sums: number[] }[] {
    return [...this.#numbers].map(([uid, row]) => ({
      uid,
      sums: Array.from({ length: width }, (_each, column) => this.#rows.get(row, column)),
    }))
  }

  save(): SavedPodSums {
    return { uids: [...this.#numbers.keys()], rows: this.#rows.save() }
  }

  load({ uids, rows }: SavedPodSums): void {
    uids.forEach((uid, row) => this.#numbers.set(uid, row))
    this.#rows = NumberRows.load(width, rows)
  }
}
