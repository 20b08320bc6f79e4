import { hourMs, dayMs } from '@plimsoll/engine'
import type { Window, WindowName } from '@plimsoll/contract'
import { Problem } from '../platform/http/problem.ts'

export type WindowQuery = { window?: WindowName; from?: string; to?: string }

/** Full hours, half-open: `from` ≤ hour < `to`. */
export type HourWindow = { name: WindowName | 'custom'; from: Date; to: Date }

const daysMax = 400

/**
 * Named windows end with the last complete hour, because the running hour would look cheap. Any window is extended to
 * full hours. Time in the future or before the first data has no data.
 */
export function parseWindow({ window, from, to }: WindowQuery, now: Date): HourWindow {
  const lastFull = new Date(floorTo(hourMs, now.getTime()))
  if (from === undefined && to === undefined) return namedWindow(window ?? '7d', lastFull, now)
  if (window !== undefined) throw refuse('window', 'window: send either `window`, or `from` and `to`.')
  if (from === undefined) throw refuse('from', 'from: is required with `to`.')

  return customWindow('from', from, to === undefined ? lastFull : new Date(to))
}

/**
 * The window to compare with. By default it has the length of the window and ends where the window begins. With a start
 * alone, it has the length of the window.
 */
export function parseCompareWindow(
  { compare_from: from, compare_to: to }: { compare_from?: string; compare_to?: string },
  window: HourWindow,
): HourWindow {
  const length = window.to.getTime() - window.from.getTime()
  if (from === undefined && to === undefined) {
    return { name: 'custom', from: new Date(window.from.getTime() - length), to: window.from }
  }
  if (from === undefined) throw refuse('compare_from', 'compare_from: is required with `compare_to`.')
  const end = to === undefined ? floorTo(hourMs, new Date(from).getTime()) + length : new Date(to).getTime()
  return customWindow('compare_from', from, new Date(end))
}

function customWindow(parameter: string, from: string, to: Date): HourWindow {
  const [start, end] = [new Date(from).getTime(), to.getTime()]
  if (start >= end) {
    const until = to.toISOString()
    throw refuse(parameter, `${parameter}: must be before the end of the window, ${until}, got "${from}".`)
  }
  const snapped = { from: floorTo(hourMs, start), to: -floorTo(hourMs, -end) }
  if (snapped.to - snapped.from > daysMax * dayMs) {
    throw refuse(parameter, `${parameter}: a window has at most ${daysMax} days.`)
  }
  return { name: 'custom', from: new Date(snapped.from), to: new Date(snapped.to) }
}

/** A window of whole hours from another parser. */
export const parseHourWindow = (parameter: string, { from, to }: { from: Date; to: Date }): HourWindow =>
  customWindow(parameter, from.toISOString(), to)

function namedWindow(name: WindowName, lastFull: Date, now: Date): HourWindow {
  const back = (days: number) => ({ from: new Date(lastFull.getTime() - days * dayMs), to: lastFull })
  const [month, quarter] = [startOfMonths(now, 1), startOfMonths(now, 3)]
  const windows: Record<WindowName, { from: Date; to: Date }> = {
    '24h': back(1),
    '7d': back(7),
    '30d': back(30),
    today: { from: new Date(floorTo(dayMs, now.getTime())), to: lastFull },
    month: { from: month, to: lastFull },
    last_month: { from: addMonths(month, -1), to: month },
    quarter: { from: quarter, to: lastFull },
    last_quarter: { from: addMonths(quarter, -3), to: quarter },
    last_12_months: { from: addMonths(month, -11), to: lastFull },
  }
  return { name, ...windows[name] }
}

/** The first day of the period of so many months that contains the time. */
const startOfMonths = (at: Date, months: number) =>
  new Date(Date.UTC(at.getUTCFullYear(), Math.floor(at.getUTCMonth() / months) * months, 1))

/** For first days of months. */
const addMonths = (at: Date, months: number) =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, at.getUTCDate(), at.getUTCHours()))

/** The months of a named window of calendar months. */
const calendarMonths: Partial<Record<HourWindow['name'], number>> = {
  month: 1,
  last_month: 1,
  quarter: 3,
  last_quarter: 3,
  last_12_months: 12,
}

/**
 * Whole calendar periods are compared with whole ones, which can differ in days. A running period is compared with as
 * many hours: those of the period before, or, if that period is shorter, the hours directly before.
 */
export function previousWindow(window: HourWindow): HourWindow {
  const months = calendarMonths[window.name]
  const length = window.to.getTime() - window.from.getTime()
  const directlyBefore: HourWindow = { name: 'custom', from: new Date(window.from.getTime() - length), to: window.from }
  if (months === undefined) return directlyBefore
  const from = addMonths(window.from, -months)
  const isWhole = addMonths(window.from, months) <= window.to
  if (isWhole) return { name: 'custom', from, to: window.from }
  const to = new Date(from.getTime() + length)
  return to <= window.from ? { name: 'custom', from, to } : directlyBefore
}

/** Whole months are compared with whole ones, other windows with as many hours. 29 February becomes 1 March. */
export function windowOneYearBefore({ from, to }: HourWindow): HourWindow {
  const start = addMonths(from, -12)
  const length = to.getTime() - from.getTime()
  const isWhole = [from, to].every((at) => at.getTime() === startOfMonths(at, 1).getTime())
  return { name: 'custom', from: start, to: isWhole ? addMonths(to, -12) : new Date(start.getTime() + length) }
}

export const hoursIn = ({ from, to }: HourWindow) => (to.getTime() - from.getTime()) / hourMs

export function presentWindow(window: HourWindow): Window {
  const { name, from, to } = window
  return { name, from: from.toISOString(), to: to.toISOString(), hours: hoursIn(window) }
}

const floorTo = (step: number, at: number) => Math.floor(at / step) * step

const refuse = (parameter: string, detail: string) =>
  new Problem('invalid_parameter', detail, {
    errors: [{ parameter, code: 'window', detail: detail.slice(parameter.length + 2, -1) }],
  })
