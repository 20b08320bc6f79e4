import type { BillDays } from '../url-parameters.ts'
import { dayMs, hourMs } from './time.ts'

/** Two windows of 24 hours, as parameters of the API. */
export type BillWindows = { from: string; to: string; compare_from: string; compare_to: string }

const daysBack = 30

const iso = (ms: number) => new Date(ms).toISOString()

/** The day of a time, in UTC. */
export const utcDay = (ms: number) => iso(ms).slice(0, 10)

export const defaultFrom = (now: Date) => utcDay(now.getTime() - daysBack * dayMs)

/** The first day in full; then the last day in full, or the last 24 complete hours. */
export function billWindows({ from, to }: BillDays, now: Date): BillWindows {
  const before = Date.parse(from ?? defaultFrom(now))
  const end = to === undefined ? Math.floor(now.getTime() / hourMs) * hourMs : Date.parse(to) + dayMs
  return { from: iso(end - dayMs), to: iso(end), compare_from: iso(before), compare_to: iso(before + dayMs) }
}
