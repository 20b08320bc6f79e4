import type { ObjectEnd } from '@plimsoll/contract'

/** An object and its newest version. */
export type Entry<Facts> = {
  readonly ref: number
  readonly uid: string
  /** The start of the newest version. */
  from: number
  facts: Facts
  isEnded: boolean
  /** The newest version, until it is taken. */
  news: News<Facts> | undefined
  /** Whether an earlier version was sent or is pending. */
  hasEarlier: boolean
}

export type News<Facts> = { readonly entry: Entry<Facts>; from: number; facts: Facts; isVoid: boolean }

/**
 * Versions may be this far ahead of the requested time, because they are newer. Larger differences mean that the clock
 * was set back.
 */
const aheadSecondsMax = 30

/** Minutes until a reserved ref is dropped. */
const expectedTakesMax = 60

/** Assigns each ref once. */
export class Refs {
  #last = 0

  next(): number {
    return (this.#last += 1)
  }
}

/**
 * The objects of one kind and their changes since the last call. An object has at most one version or end per second,
 * because otherwise their order would be ambiguous.
 */
export class ObjectVersions<Facts extends { readonly uid: string }> {
  readonly #entries = new Map<string, Entry<Facts>>()
  /** Refs of objects that others refer to before they are seen. */
  readonly #expected = new Map<string, { ref: number; since: number }>()
  /** The number of calls of `take`. */
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

  /** The objects that exist at this second. If the clock was set back, later starts are moved to this second. */
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

  /** Moves a future end to now and drops the future versions of its object. */
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

  /** The ref of an object, even before it is seen. */
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
      // An object that exists for less than a second is never sent.
      entry.news.isVoid = true
      if (entry.hasEarlier) this.#ends.push({ entry, at: entry.from })
    } else this.#ends.push({ entry, at: Math.max(second, entry.from + 1) })
    return entry
  }

  /** The changes since the last call; changes that are not ready follow later. */
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

  /** An object that has not appeared by now was deleted before it was seen. The map is in insertion order. */
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
