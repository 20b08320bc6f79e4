import type { ObjectEnd } from '@plimsoll/contract'

/** An object and its newest version. */
export type Entry<Facts> = {
  readonly ref: number
  readonly uid: string
  /** Since when the newest version holds. */
  from: number
  facts: Facts
  isEnded: boolean
  /** Its newest version, while nobody has taken it. */
  news: News<Facts> | undefined
  /** Whether an earlier version has been told, or is about to be. */
  hasEarlier: boolean
}

export type News<Facts> = { readonly entry: Entry<Facts>; from: number; facts: Facts; isVoid: boolean }

/** Versions may run so far ahead of the time asked about without anybody having set the clock back: what happened since. */
const aheadSecondsMax = 30

/** So many minutes a number waits for the object that it was given for. */
const expectedTakesMax = 60

/** Numbers for objects, each given once. */
export class Refs {
  #last = 0

  next(): number {
    return (this.#last += 1)
  }
}

/**
 * What there is of one kind, and what has happened since somebody last asked. No object gets two versions of the same second, or
 * a version and an end: who reads them could not tell which holds.
 */
export class Chronicle<Facts extends { readonly uid: string }> {
  readonly #entries = new Map<string, Entry<Facts>>()
  /** Numbers of objects that others have named before they were seen. */
  readonly #expected = new Map<string, { ref: number; since: number }>()
  /** How often was told. */
  #takes = 0
  readonly #refs: Refs
  readonly #isSame: (a: Facts, b: Facts) => boolean
  #news: News<Facts>[] = []
  #ends: { readonly entry: Entry<Facts>; at: number }[] = []

  constructor(refs: Refs, isSame: (a: Facts, b: Facts) => boolean = isAlike) {
    this.#refs = refs
    this.#isSame = isSame
  }

  get(uid: string): Entry<Facts> | undefined {
    return this.#entries.get(uid)
  }

  uids(): Iterable<string> {
    return this.#entries.keys()
  }

  entries(): Iterable<Entry<Facts>> {
    return this.#entries.values()
  }

  /** What there is at this second. Where a clock was set back, what begins long after it has begun with it. */
  living(second: number): Entry<Facts>[] {
    const isAhead = ({ from }: { from: number }) => from > second + aheadSecondsMax
    for (const news of this.#news) {
      if (!isAhead(news)) continue
      if (news.entry.news === news) news.from = second
      else news.isVoid = true
    }
    this.#ends = this.#ends.filter((end) => this.#isStillEnd(end, second))
    const entries = [...this.#entries.values()]
    for (const entry of entries) if (isAhead(entry)) entry.from = second
    return entries
  }

  /** An end that lies ahead is now, and what else of its object lies ahead was never there. */
  #isStillEnd(end: { readonly entry: Entry<Facts>; at: number }, second: number): boolean {
    const { entry, at } = end
    if (at <= second + aheadSecondsMax) return true
    if (entry.news && entry.news.from >= second) {
      entry.news.isVoid = true
      end.at = second
      return entry.hasEarlier
    }
    end.at = Math.max(second, (entry.news?.from ?? second - 1) + 1)
    return true
  }

  get size(): number {
    return this.#entries.size
  }

  /** Its number, also if it has not been seen yet. */
  refOf(uid: string): number {
    const known = this.#entries.get(uid)?.ref ?? this.#expected.get(uid)?.ref
    if (known !== undefined) return known
    const ref = this.#refs.next()
    this.#expected.set(uid, { ref, since: this.#takes })
    return ref
  }

  set(facts: Facts, second: number): Entry<Facts> {
    const entry = this.#entries.get(facts.uid)
    if (!entry) return this.#add(facts, second)
    const isSame = this.#isSame(entry.facts, facts)
    entry.facts = facts
    if (isSame) return entry
    if (entry.news && entry.from === second) entry.news.facts = facts
    else {
      entry.hasEarlier = true
      entry.from = Math.max(second, entry.from + 1)
      this.#report(entry)
    }
    return entry
  }

  end(uid: string, second: number): Entry<Facts> | undefined {
    this.#expected.delete(uid)
    const entry = this.#entries.get(uid)
    if (!entry) return undefined
    this.#entries.delete(uid)
    entry.isEnded = true
    if (entry.news && entry.from >= second) {
      // What came and went within a second was never there.
      entry.news.isVoid = true
      if (entry.hasEarlier) this.#ends.push({ entry, at: entry.from })
    } else this.#ends.push({ entry, at: Math.max(second, entry.from + 1) })
    return entry
  }

  /** What has happened since the last time; what is not ready to be told comes later. */
  take(isReady: (news: News<Facts>) => boolean = () => true): { versions: News<Facts>[]; ends: ObjectEnd[] } {
    const [news, ends] = [this.#news, this.#ends]
    const versions: News<Facts>[] = []
    this.#news = []
    this.#ends = []
    for (const each of news) {
      if (each.isVoid) continue
      if (!isReady(each)) this.#news.push(each)
      else {
        versions.push(each)
        each.entry.hasEarlier = true
        if (each.entry.news === each) each.entry.news = undefined
      }
    }
    this.#forgetExpected()
    return { versions, ends: ends.map(({ entry, at }) => ({ ref: entry.ref, at })) }
  }

  /** Whoever has not come after so long has gone before it could be seen. They stand in the order in which they were named. */
  #forgetExpected(): void {
    this.#takes += 1
    for (const [uid, { since }] of this.#expected) {
      if (this.#takes - since <= expectedTakesMax) return
      this.#expected.delete(uid)
    }
  }

  #add(facts: Facts, second: number): Entry<Facts> {
    const ref = this.#expected.get(facts.uid)?.ref ?? this.#refs.next()
    this.#expected.delete(facts.uid)
    const entry: Entry<Facts> = {
      ref,
      uid: facts.uid,
      from: second,
      facts,
      isEnded: false,
      news: undefined,
      hasEarlier: false,
    }
    this.#entries.set(facts.uid, entry)
    this.#report(entry)
    return entry
  }

  #report(entry: Entry<Facts>): void {
    entry.news = { entry, from: entry.from, facts: entry.facts, isVoid: false }
    this.#news.push(entry.news)
  }
}

const isAlike = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)
