import { SECONDS_PER_DAY } from '../time.ts'
import { SLOT_SECONDS, SLOTS_PER_DAY, slotOf, HISTOGRAM_DAYS } from './usage-state.ts'
import { VPA_HALF_LIFE_SECONDS } from './vpa.ts'

const FAST_HALF_LIFE_SECONDS = SECONDS_PER_DAY / 2
const SLOW_HALF_LIFE_SECONDS = 5 * SECONDS_PER_DAY
export const WINDOW_DAYS = 14
export const WINDOW_SLOTS = WINDOW_DAYS * SLOTS_PER_DAY

/**
 * The times of decisions: now, and in a rehearsal each of `boundaries` in the past. A rehearsed decision uses earlier
 * data only, and is evaluated with later data. Slots are weighted by their age at `now`; at an earlier time all weights grow by
 * the same factor.
 */
export type Clock = {
  readonly now: number
  /** The slot that is still open at `now`. */
  readonly openSlot: number
  /** First slots after a rehearsed decision, ascending. The last period ends where the open slot begins. */
  readonly boundaries: readonly number[]
  readonly fast: DecayTable
  readonly slow: DecayTable
  readonly vpa: DecayTable
}

export type DecayTable = {
  /** By age in slots; the open slot has age 0. */
  readonly weights: Float64Array
  /** By boundary, plus one for `now`: the factor from weights at `now` to weights at that time. */
  readonly growth: Float64Array
}

/** `standingDays` is how long a request stays until the next decision. */
export function makeClock(now: number, standingDays: number, rehearsalDays = WINDOW_DAYS): Clock {
  const openSlot = slotOf(now)
  const rounds = Math.floor(rehearsalDays / standingDays)
  const boundaries = Array.from({ length: rounds }, (_, k) => openSlot - (rounds - k) * standingDays * SLOTS_PER_DAY)
  const table = (halfLife: number) => decayTable({ now, openSlot, boundaries }, halfLife)
  return {
    now,
    openSlot,
    boundaries,
    fast: table(FAST_HALF_LIFE_SECONDS),
    slow: table(SLOW_HALF_LIFE_SECONDS),
    vpa: table(VPA_HALF_LIFE_SECONDS),
  }
}

export function weightOf({ weights }: DecayTable, ageSlots: number): number {
  return weights[ageSlots] ?? 0
}

function decayTable({ now, openSlot, boundaries }: Pick<Clock, 'now' | 'openSlot' | 'boundaries'>, halfLife: number) {
  const ageSeconds = (ageSlots: number) => {
    const from = (openSlot - ageSlots) * SLOT_SECONDS
    return now - (from + Math.min(now, from + SLOT_SECONDS)) / 2
  }
  // Rehearsals reach back, so the oldest slots matter longer than for the current decision.
  const length = (HISTOGRAM_DAYS + WINDOW_DAYS) * SLOTS_PER_DAY
  return {
    weights: Float64Array.from({ length }, (_, age) => 2 ** (-ageSeconds(age) / halfLife)),
    growth: Float64Array.from(
      [...boundaries.map((slot) => slot * SLOT_SECONDS), now],
      (at) => 2 ** ((now - at) / halfLife),
    ),
  }
}
