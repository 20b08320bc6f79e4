import { divideRounded, type Decimal } from '../decimal.ts'
import { effectKey } from './effect-key.ts'
import type { Cell } from './settle.ts'
import type { CostPart } from '../vocabulary/changes.ts'

/** A value of the earlier and of the later window. */
export type Pair<Value> = { readonly before: Value; readonly now: Value }

/**
 * How two windows of a cluster compare. Quantities are scaled to the mean known time of both windows: quantity × `scale`
 * ÷ `divisor`. A cluster without data in one window cannot be scaled, so one effect takes its whole difference.
 */
export type Comparison =
  | { readonly kind: 'scaled'; readonly scale: Pair<bigint>; readonly divisor: bigint; readonly ratio: Pair<bigint> }
  | { readonly kind: 'single'; readonly effect: 'new' | 'gone' | 'hours' }

const SAME_TIME: Comparison = {
  kind: 'scaled',
  scale: { before: 1n, now: 1n },
  divisor: 1n,
  ratio: { before: 1n, now: 1n },
}

/**
 * `seconds` is the time with data. `isUnconnected`: the cluster had no data up to the end of that window, so it is new
 * in the other one. A gap of a known cluster is missing time and no saving.
 */
export function compareTimes(seconds: Pair<number>, isUnconnected: Pair<boolean>): Comparison {
  if (seconds.before === seconds.now && seconds.now > 0) return SAME_TIME
  if (seconds.before === 0) return { kind: 'single', effect: isUnconnected.before ? 'new' : 'hours' }
  if (seconds.now === 0) return { kind: 'single', effect: isUnconnected.now ? 'gone' : 'hours' }
  const common = greatestCommonDivisor(seconds.before, seconds.now)
  const [before, now] = [BigInt(seconds.before / common), BigInt(seconds.now / common)]
  return {
    kind: 'scaled',
    scale: { before: (before + now) * now, now: (before + now) * before },
    divisor: 2n * before * now,
    ratio: { before, now },
  }
}

/** Mean cost per hour × difference of the known hours. */
export function hoursCells(part: CostPart, usd: Pair<Decimal>, comparison: Comparison): Cell[] {
  if (comparison.kind === 'single') return []
  const { before, now } = comparison.ratio
  const dividend = (usd.before * now + usd.now * before) * (now - before)
  return dividend === 0n ? [] : [{ key: effectKey(part, 'hours'), dividend, divisor: 2n * before * now }]
}

/** The sum of all effects except `hours`: the difference at the mean known time. */
export function scaledDifference({ before, now }: Pair<Decimal>, comparison: Comparison): Decimal {
  if (comparison.kind === 'single') return 0n
  const { scale, divisor } = comparison
  return divideRounded(now * scale.now - before * scale.before, divisor)
}

/** New or gone in one step: the whole cost at the mean known time. */
export function presenceCells(part: CostPart, usd: Pair<Decimal>, comparison: Comparison): Cell[] {
  if (comparison.kind === 'single') return singleCells(part, usd, comparison.effect)
  const { scale, divisor } = comparison
  const kind = usd.before === 0n ? 'new' : 'gone'
  return [{ key: effectKey(part, kind), dividend: usd.now * scale.now - usd.before * scale.before, divisor }]
}

export const singleCells = (part: CostPart, usd: Pair<Decimal>, effect: 'new' | 'gone' | 'hours'): Cell[] => [
  { key: effectKey(part, effect), dividend: usd.now - usd.before, divisor: 1n },
]

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}
