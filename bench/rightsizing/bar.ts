import type { Score } from './tally.ts'

/** Fleets with fewer series are not evaluated. */
export const SERIES_MIN = 30

export type Verdict = { readonly what: string; readonly value: string; readonly holds: boolean }

export type Ratios = { readonly time: number; readonly volume: number }

const get = (scores: ReadonlyMap<string, Score>, name: string): Score => {
  const found = scores.get(name)
  if (!found) throw new Error(`row ${name} is missing`)
  return found
}

export function ratiosOf(scores: ReadonlyMap<string, Score>, ours: string, peer: string): Ratios {
  const own = get(scores, ours)
  const theirs = get(scores, peer)
  return { time: own.time / theirs.time, volume: own.volume / theirs.volume }
}

/**
 * At the total of VPA: a tenth less time short and no more volume short; at the total of KRR the same. With smaller
 * values, floors and first buckets dominate, so only the order must stay.
 */
export function judgeCpu(scores: ReadonlyMap<string, Score>, scale: number): Verdict[] {
  const timeMax = scale === 1 ? 0.9 : 1
  const vpa = ratiosOf(scores, "ours, VPA's total", 'VPA')
  const krr = ratiosOf(scores, "ours, KRR p95's total", 'KRR p95')
  const r = get(scores, "ours, VPA's total").r / get(scores, 'VPA').r
  return [
    atMost("R at VPA's total, off by", Math.abs(r - 1), 0.01),
    atMost('time ÷ VPA', vpa.time, timeMax),
    atMost('volume ÷ VPA', vpa.volume, 1.01),
    atMost('time ÷ KRR', krr.time, timeMax),
    atMost('volume ÷ KRR', krr.volume, 1),
  ]
}

export function judgeMemory(scores: ReadonlyMap<string, Score>): Verdict[] {
  const own = get(scores, "ours, KRR's total")
  const krr = get(scores, 'KRR')
  return [atMost('R ÷ KRR', own.r / krr.r, 1.001), atMost('OOM-days − KRR', own.oomDays - krr.oomDays, 0)]
}

/** Over all fleets, at the total of VPA. */
export function judgeMeans(ratios: readonly Ratios[], scale: number): Verdict[] {
  const [timeMax, volumeMax] = scale === 1 ? [0.8, 0.88] : [1, 1]
  const mean = (pick: (own: Ratios) => number) =>
    Math.exp(ratios.reduce((sum, own) => sum + Math.log(pick(own)), 0) / ratios.length)
  return [
    atMost(
      'geometric mean of time ÷ VPA',
      mean(({ time }) => time),
      timeMax,
    ),
    atMost(
      'geometric mean of volume ÷ VPA',
      mean(({ volume }) => volume),
      volumeMax,
    ),
  ]
}

function atMost(what: string, value: number, bound: number): Verdict {
  return { what, value: `${value.toFixed(3)} ≤ ${bound}`, holds: value <= bound }
}
