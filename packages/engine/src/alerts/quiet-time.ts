import type { Millis } from './alert-state.ts'

/** In UTC. `from` may be after `to`: the time then spans midnight. */
export type QuietTime = {
  /** Minutes since midnight. Null: no quiet hours. */
  readonly hours: { readonly fromMinute: number; readonly toMinute: number } | null
  readonly hasWeekends: boolean
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** When the quiet time around `at` ends. Null: `at` is not quiet. */
export function quietUntil(at: Millis, quiet: QuietTime): Millis | null {
  let end = at
  // Night, weekend and night again follow each other.
  for (let next = endOfPeriod(end, quiet); next !== null; next = endOfPeriod(end, quiet)) end = next
  return end === at ? null : end
}

function endOfPeriod(at: Millis, { hours, hasWeekends }: QuietTime): Millis | null {
  const midnight = Math.floor(at / DAY_MS) * DAY_MS
  const weekday = new Date(at).getUTCDay()
  if (hasWeekends && (weekday === 6 || weekday === 0)) return midnight + (weekday === 6 ? 2 : 1) * DAY_MS
  return hours === null ? null : endOfHours(at - midnight, midnight, hours)
}

function endOfHours(msOfDay: number, midnight: Millis, hours: NonNullable<QuietTime['hours']>): Millis | null {
  const [from, to] = [hours.fromMinute * MINUTE_MS, hours.toMinute * MINUTE_MS]
  if (from <= to) return msOfDay >= from && msOfDay < to ? midnight + to : null
  if (msOfDay >= from) return midnight + DAY_MS + to
  return msOfDay < to ? midnight + to : null
}
