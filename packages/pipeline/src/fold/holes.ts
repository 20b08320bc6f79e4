/**
 * Batches of an epoch that were passed over. What began and ended in them is not known, so minutes after them cannot be
 * trusted until a whole snapshot says what there is, or until the batches come after all.
 */
export type Hole = {
  /** Sequence numbers that have not come. */
  missing: Set<number>
  /** What was observed before this is known. */
  from: number
  /** A snapshot was taken then; infinite as long as there is none. */
  to: number
}

/** A jump further than this is no hole that anybody will fill: all of it counts as one missing batch. */
const missingMax = 10_000

/** Beyond so many the oldest become one: whoever sends every other batch must not fill the memory. */
export const holesMax = 100

/** No batch has it, so a hole that misses it is only ever ended by a snapshot. */
const neverComes = 0

export class Holes {
  readonly holes: Hole[]
  /** Undefined: not known, as of epochs that were kept before it was noted. */
  lastSeq: number | undefined

  constructor(lastSeq: number | undefined, holes: Hole[] = []) {
    this.lastSeq = lastSeq
    this.holes = holes
  }

  /** A batch opens a hole when some before it have not come, and closes one when it was the last that had not. */
  pass(seq: number, observedBefore: number): 'opened' | 'closed' | 'unchanged' {
    const last = this.lastSeq ?? seq - 1
    if (seq > last) {
      const isNext = seq === last + 1
      if (!isNext) this.#open(last, seq, observedBefore)
      this.lastSeq = seq
      return isNext ? 'unchanged' : 'opened'
    }
    const hole = this.holes.find(({ missing }) => missing.delete(seq))
    if (!hole || hole.missing.size > 0) return 'unchanged'
    this.holes.splice(this.holes.indexOf(hole), 1)
    return 'closed'
  }

  /** From here on everything is known again. */
  settle(at: number): void {
    for (const hole of this.holes) if (hole.from <= at) hole.to = Math.min(hole.to, at)
  }

  covers(second: number): boolean {
    return this.holes.some(({ from, to }) => from <= second && second < to)
  }

  forgetBefore(second: number): void {
    for (const hole of this.holes.filter(({ to }) => to < second)) this.holes.splice(this.holes.indexOf(hole), 1)
  }

  #open(last: number, seq: number, from: number): void {
    const missing = new Set<number>()
    const first = seq - last > missingMax ? seq - 1 : last + 1
    for (let each = first; each < seq; each += 1) missing.add(each)
    this.holes.push({ missing, from, to: Number.POSITIVE_INFINITY })
    if (this.holes.length > holesMax) this.#mergeOldest()
  }

  /** What lies between them is not trusted either. */
  #mergeOldest(): void {
    const [older, newer] = this.holes
    if (!older || !newer) return
    const missing = new Set([...older.missing, ...newer.missing])
    this.holes.splice(0, 2, {
      missing: missing.size > missingMax ? new Set([neverComes]) : missing,
      from: Math.min(older.from, newer.from),
      to: Math.max(older.to, newer.to),
    })
  }
}
