/**
 * A gap: batches of an epoch that were skipped. Objects may have started and ended in them. Later minutes are not
 * trusted until a complete snapshot, or until the batches arrive.
 */
export type Gap = {
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
export const gapsMax = 100

/** No batch has this number, so only a snapshot ends a gap that misses it. */
const neverComes = 0

export class Gaps {
  readonly gaps: Gap[]
  /** Undefined: not known, as for epochs of older checkpoints. */
  lastSeq: number | undefined

  constructor(lastSeq: number | undefined, gaps: Gap[] = []) {
    this.lastSeq = lastSeq
    this.gaps = gaps
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
    const gap = this.gaps.find(({ missing }) => missing.delete(seq))
    if (!gap || gap.missing.size > 0) return 'unchanged'
    this.gaps.splice(this.gaps.indexOf(gap), 1)
    return 'closed'
  }

  /** From here on everything is known again. */
  settle(at: number): void {
    for (const gap of this.gaps) if (gap.from <= at) gap.to = Math.min(gap.to, at)
  }

  covers(second: number): boolean {
    return this.gaps.some(({ from, to }) => from <= second && second < to)
  }

  forgetBefore(second: number): void {
    for (const gap of this.gaps.filter(({ to }) => to < second)) this.gaps.splice(this.gaps.indexOf(gap), 1)
  }

  #open(last: number, seq: number, from: number): void {
    const missing = new Set<number>()
    const first = seq - last > missingMax ? seq - 1 : last + 1
    for (let each = first; each < seq; each += 1) missing.add(each)
    this.gaps.push({ missing, from, to: Number.POSITIVE_INFINITY })
    if (this.gaps.length > gapsMax) this.#mergeOldest()
  }

  /** Time between the merged gaps is not trusted either. */
  #mergeOldest(): void {
    const [older, newer] = this.gaps
    if (!older || !newer) return
    const missing = new Set([...older.missing, ...newer.missing])
    this.gaps.splice(0, 2, {
      missing: missing.size > missingMax ? new Set([neverComes]) : missing,
      from: Math.min(older.from, newer.from),
      to: Math.max(older.to, newer.to),
    })
  }
}
