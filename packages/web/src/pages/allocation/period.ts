import { dayMs, utcAxisDay, utcDay } from '../../format/time.ts'
import {
  periodNames,
  windowWords,
  type ExplorerChange,
  type PeriodSearch,
  type ShownWindow,
} from '../../url-parameters.ts'

const hourlyDaysMax = 2

export const defaultWindow: ShownWindow = '30d'

/** The last day of a period in the address belongs to it; the end of a window in the API does not. */
const endOf = (day: string) => new Date(Date.parse(day) + dayMs).toISOString()
const startOf = (day: string) => new Date(Date.parse(day)).toISOString()

/** The API parameters of the period and of its comparison. */
export function periodQuery(search: PeriodSearch): Record<string, string> {
  const { window = defaultWindow, from, to } = search
  const isCustom = from !== undefined && to !== undefined && from <= to
  return {
    ...(isCustom ? { from: startOf(from), to: endOf(to) } : { window }),
    ...compareQuery(search),
    trend: isHourly(search) ? 'hour' : 'day',
  }
}

function compareQuery(search: PeriodSearch): Record<string, string> {
  const { against: compare = 'previous', compare_from: from, compare_to: to } = search
  if (compare === 'off') return {}
  if (compare !== 'custom') return { compare }
  if (from === undefined || to === undefined || from > to) return { compare: 'previous' }
  return { compare_from: startOf(from), compare_to: endOf(to) }
}

function isHourly({ window = defaultWindow, from, to }: PeriodSearch): boolean {
  if (from === undefined || to === undefined) return window === '24h'
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1 <= hourlyDaysMax
}

/** The two windows of a comparison that cannot be switched off. */
export function windowsQuery({ against, ...search }: PeriodSearch): Record<string, string> {
  const asked = against === undefined || against === 'off' ? search : { ...search, against }
  const { trend: _chart, ...query } = periodQuery(asked)
  return query
}

export type PeriodChoice = PeriodSearch

/** A new period replaces all parameters of the old one. */
export const withPeriod = (next: PeriodChoice): ExplorerChange =>
  Object.fromEntries(periodNames.map((name) => [name, next[name]]))

/** 20 Oct – 16 Nov; the end of a window is exclusive. Days of another year have the year, parts of days the hours. */
export function daysText({ from, to }: { from: string; to: string }, now = new Date()): string {
  const last = new Date(Math.max(Date.parse(from), Date.parse(to) - 1)).toISOString()
  const hasYear = new Set([from, last, now.toISOString()].map((iso) => iso.slice(0, 4))).size > 1
  const dayOf = hasYear ? utcDay : utcAxisDay
  const isInHours = Date.parse(to) - Date.parse(from) < hourlyDaysMax * dayMs && Date.parse(from) % dayMs !== 0
  if (isInHours) return `${dayOf(from)} ${from.slice(11, 16)} – ${dayOf(to)} ${to.slice(11, 16)} UTC`
  const [first, end] = [dayOf(from), dayOf(last)]
  return first === end ? first : `${first} – ${end}`
}

export function periodText({ window = defaultWindow, from, to }: PeriodSearch, now = new Date()): string {
  if (from === undefined || to === undefined) return windowWords[window]
  return daysText({ from: startOf(from), to: endOf(to) }, now)
}

/** The days of a zoom in a chart of days. */
export function zoomTo(starts: readonly string[], from: number, to: number): { from: string; to: string } | null {
  const [first, last] = [starts[from], starts[to]]
  return first === undefined || last === undefined ? null : { from: first.slice(0, 10), to: last.slice(0, 10) }
}
