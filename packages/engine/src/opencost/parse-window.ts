import type { Parsed } from '../parsed.ts'
import { dayMs, hourMs } from '../time.ts'

/** Whole hours, half-open. */
export type OpencostWindow = { readonly from: Date; readonly to: Date }

const minuteMs = 60_000
const unitMs: Readonly<Record<string, number>> = { m: minuteMs, h: hourMs, d: dayMs, w: 7 * dayMs }

/**
 * The window of a request as OpenCost reads it, extended to whole hours. `7d` is today until midnight UTC and the six
 * days before; weeks begin on Sunday.
 */
export function parseOpencostWindow(text: string, now: Date): Parsed<OpencostWindow, string> {
  const span = namedSpan(text, now.getTime()) ?? durationSpan(text, now.getTime()) ?? pairSpan(text)
  if (span === undefined) {
    const reason =
      'must be today, yesterday, week, lastweek, month, lastmonth, a duration such as 7d, `1d offset 1d`, or two times ' +
      'separated by a comma'
    return { kind: 'invalid', reason, text: text.slice(0, 80) }
  }
  const [start, end] = span
  if (start >= end) return { kind: 'invalid', reason: 'must begin before it ends', text: text.slice(0, 80) }
  if (start > now.getTime()) return { kind: 'invalid', reason: 'begins in the future', text: text.slice(0, 80) }
  const from = new Date(floorTo(hourMs, start))
  return { kind: 'ok', value: { from, to: new Date(-floorTo(hourMs, -end)) } }
}

type Span = readonly [start: number, end: number]

function namedSpan(name: string, now: number): Span | undefined {
  const today = floorTo(dayMs, now)
  const sunday = today - new Date(today).getUTCDay() * dayMs
  const spans: Readonly<Record<string, Span>> = {
    today: [today, today + dayMs],
    yesterday: [today - dayMs, today],
    week: [sunday, now],
    lastweek: [sunday - 7 * dayMs, sunday],
    month: [monthStart(now, 0), now],
    lastmonth: [monthStart(now, -1), monthStart(now, 0)],
  }
  return Object.hasOwn(spans, name) ? spans[name] : undefined
}

const monthStart = (at: number, more: number) => {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + more, 1)
}

/** A duration without an offset ends with the running minute, hour or day. Weeks end with today. */
function durationSpan(text: string, now: number): Span | undefined {
  const [, count, unit, back, backUnit] = /^(\d{1,6})([mhdw])(?: offset (\d{1,6})([mhdw]))?$/.exec(text) ?? []
  if (count === undefined || unit === undefined) return undefined
  const length = Number(count) * (unitMs[unit] ?? 0)
  if (back !== undefined && backUnit !== undefined) {
    const end = now - Number(back) * (unitMs[backUnit] ?? 0)
    return [end - length, end]
  }
  const step = Math.min(unitMs[unit] ?? dayMs, dayMs)
  const end = floorTo(step, now) + step
  return [end - length, end]
}

const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)`
const times = new RegExp(`^(${time}),(${time})$`)

/** RFC 3339, or seconds since 1970. */
function pairSpan(text: string): Span | undefined {
  const [, fromSeconds, toSeconds] = /^(\d{1,11})[,-](\d{1,11})$/.exec(text) ?? []
  if (fromSeconds !== undefined && toSeconds !== undefined)
    return [Number(fromSeconds) * 1000, Number(toSeconds) * 1000]
  const [, from = '', to = ''] = times.exec(text) ?? []
  const span: Span = [Date.parse(from), Date.parse(to)]
  return span.some(Number.isNaN) ? undefined : span
}

/** A step such as `1d`, in milliseconds. */
export function parseOpencostStep(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (unitMs[unit] ?? 0)
}

const floorTo = (step: number, at: number) => Math.floor(at / step) * step
