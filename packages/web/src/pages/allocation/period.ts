import { dayMs, utcAxisDay } from '../../format/time.ts'
import { windowWords, type ExplorerChange, type ExplorerSearch, type ShownWindow } from '../../search.ts'

const hourlyDaysMax = 2

export const defaultWindow: ShownWindow = '30d'

/** The last day of a period in the address belongs to it; the end of a window in the API does not. */
const endOf = (day: string) => new Date(Date.parse(day) + dayMs).toISOString()
const startOf = (day: string) => new Date(Date.parse(day)).toISOString()

type PeriodSearch = Pick<ExplorerSearch, 'window' | 'from' | 'to' | 'against' | 'compare_from' | 'compare_to'>

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

const periodNames = ['window', 'from', 'to', 'against', 'compare_from', 'compare_to'] as const

/** The period of an address, without its other parameters. */
export const pickedPeriod = (search: PeriodSearch): PeriodChoice =>
  Object.fromEntries(periodNames.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])))

/** A new period replaces all parameters of the old one. */
export const withPeriod = (next: PeriodChoice): ExplorerChange =>
  Object.fromEntries(periodNames.map((name) => [name, next[name]]))

/** 20 Oct – 16 Nov; the end of a window is exclusive. */
export function daysText({ from, to }: { from: string; to: string }): string {
  const last = new Date(Math.max(Date.parse(from), Date.parse(to) - 1)).toISOString()
  const [first, end] = [utcAxisDay(from), utcAxisDay(last)]
  return first === end ? first : `${first} – ${end}`
}

export function periodText({ window = defaultWindow, from, to }: PeriodSearch): string {
  return from === undefined || to === undefined ? windowWords[window] : daysText({ from: startOf(from), to: endOf(to) })
}

/** The days of a zoom. A zoom to the same days changes nothing. */
export function zoomTo(starts: readonly string[], from: number, to: number): { from: string; to: string } | null {
  const [first, last] = [starts[from], starts[to]]
  return first === undefined || last === undefined ? null : { from: first.slice(0, 10), to: last.slice(0, 10) }
}
