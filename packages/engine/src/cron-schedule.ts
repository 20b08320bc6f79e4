import type { Parsed } from './parsed.ts'
import { HOURS_PER_MONTH } from './time.ts'

/** The runs of a CronJob. Minutes, hours, days of the month, months and days of the week (0 is Sunday). */
export type CronSchedule = {
  readonly minutes: ReadonlySet<number>
  readonly hours: ReadonlySet<number>
  readonly days: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  readonly weekdays: ReadonlySet<number>
  /** If both are restricted, a day matches if either matches. */
  readonly isEitherDay: boolean
}

const FIELDS = [
  { name: 'minutes', from: 0, to: 59, names: '' },
  { name: 'hours', from: 0, to: 23, names: '' },
  { name: 'days', from: 1, to: 31, names: '' },
  { name: 'months', from: 1, to: 12, names: 'jan feb mar apr may jun jul aug sep oct nov dec' },
  { name: 'weekdays', from: 0, to: 7, names: 'sun mon tue wed thu fri sat' },
] as const

const MACROS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

const LENGTH_MAX = 512

/** The five fields of cron with lists, ranges, steps and names, and its macros. A time zone prefix is ignored. */
export function parseCronSchedule(text: string): Parsed<CronSchedule, 'not-a-schedule'> {
  const invalid = { kind: 'invalid', reason: 'not-a-schedule', text } as const
  if (text.length > LENGTH_MAX) return invalid
  const words = text.trim().split(/\s+/)
  const plain = /^(?:CRON_)?TZ=/.test(words[0] ?? '') ? words.slice(1) : words
  const fields = (MACROS[plain.join(' ').toLowerCase()] ?? plain.join(' ')).split(' ')
  if (fields.length !== FIELDS.length) return invalid
  const sets = FIELDS.map((field, at) => parseField(fields[at] ?? '', field))
  const [minutes, hours, days, months, weekdays] = sets
  if (!minutes || !hours || !days || !months || !weekdays) return invalid
  if (weekdays.has(7)) weekdays.add(0)
  const isRestricted = (at: number) => !/^[*?]/.test(fields[at] ?? '')
  return {
    kind: 'ok',
    value: { minutes, hours, days, months, weekdays, isEitherDay: isRestricted(2) && isRestricted(4) },
  }
}

type Field = (typeof FIELDS)[number]

function parseField(text: string, field: Field): Set<number> | undefined {
  const found = new Set<number>()
  for (const part of text.split(',')) {
    const [range = '', step, more] = part.split('/')
    const every = step === undefined ? 1 : parseNumber(step)
    const bounds = parseRange(range, field, step !== undefined)
    if (more !== undefined || !bounds || every === undefined || every < 1) return undefined
    for (let value = bounds.from; value <= bounds.to; value += every) found.add(value)
  }
  return found
}

function parseRange(text: string, field: Field, hasStep: boolean): { from: number; to: number } | undefined {
  if (text === '*' || text === '?') return { from: field.from, to: field.name === 'weekdays' ? 6 : field.to }
  const [first = '', last, more] = text.split('-')
  const from = parseValue(first, field)
  const to = last === undefined ? (hasStep ? field.to : from) : parseValue(last, field)
  if (more !== undefined || from === undefined || to === undefined || to < from) return undefined
  return { from, to }
}

function parseValue(text: string, { from, to, names }: Field): number | undefined {
  const named = names === '' ? -1 : names.split(' ').indexOf(text.toLowerCase())
  const value = named >= 0 ? named + from : parseNumber(text)
  return value === undefined || value < from || value > to ? undefined : value
}

const parseNumber = (text: string): number | undefined => (/^\d{1,4}$/.test(text) ? Number(text) : undefined)

function isDay({ days, months, weekdays, isEitherDay }: CronSchedule, day: Date): boolean {
  if (!months.has(day.getUTCMonth() + 1)) return false
  const [ofMonth, ofWeek] = [days.has(day.getUTCDate()), weekdays.has(day.getUTCDay())]
  return isEitherDay ? ofMonth || ofWeek : ofMonth && ofWeek
}

/** After so many days, the calendar repeats nearly the same days of the week and of the month. */
const DAYS_OF_CYCLE = 1461 * 7

/** Mean runs in a month of 730 hours. */
export function runsPerMonth(schedule: CronSchedule): number {
  let days = 0
  for (let day = 0; day < DAYS_OF_CYCLE; day += 1) if (isDay(schedule, new Date(day * 86_400_000))) days += 1
  return (days / DAYS_OF_CYCLE) * (HOURS_PER_MONTH / 24) * schedule.hours.size * schedule.minutes.size
}

/** The runs between two times, in UTC. */
export function countRuns(schedule: CronSchedule, from: Date, to: Date): number {
  let runs = 0
  for (let at = Math.floor(from.getTime() / 3_600_000); at * 3_600_000 < to.getTime(); at += 1) {
    const hour = new Date(at * 3_600_000)
    if (!schedule.hours.has(hour.getUTCHours()) || !isDay(schedule, hour)) continue
    for (const minute of schedule.minutes) {
      const time = hour.getTime() + minute * 60_000
      if (time >= from.getTime() && time < to.getTime()) runs += 1
    }
  }
  return runs
}
