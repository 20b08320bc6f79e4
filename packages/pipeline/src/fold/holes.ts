/**
 * A gap: batches of an epoch that were skipped. Objects may have started and ended in them. Later minutes are not
 * trusted until a complete snapshot, or until the batches arrive.
 */
export type Hole = {
  /** Sequence numbers that have not arrived. */
  missing: Set<number>
  /** Everything observed before this is known. */
  from: number
  /** Time of the snapshot that ends the gap; infinite as long as there is none. */
  to: number
}

/** A larger jump will never be filled: it counts as one missing batch. */
const missingMax = 10_000

/** Beyond this number the oldest gaps are merged: an agent that skips every other batch must not exhaust the memory. */
export const holesMax = 100

/** No batch has this number, so only a snapshot ends a gap that misses it. */
const neverComes = 0

export class Holes {
  readonly holes: Hole[]
  /** Undefined: not known, as for epochs of older checkpoints. */
  lastSeq: number | undefined

  constructor(lastSeq: number | undefined, holes: Hole[] = []) {
    this.lastSeq = lastSeq
    this.holes = holes
  }

  /** A batch opens a gap when earlier batches are missing, and closes a gap when it was the last missing one. */
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

  /** Time between the merged gaps is not trusted either. */
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
