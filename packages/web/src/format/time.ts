export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** One way for days, months and instants on every page. The short months of British English are not all of three letters. */
const shape = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const
/** In the time zone of the viewer; a tooltip shows UTC. */
const local = new Intl.DateTimeFormat('en-US', { ...shape, timeZoneName: 'short' })
/** Days and months of the figures begin at midnight UTC. */
const universal = new Intl.DateTimeFormat('en-US', { ...shape, timeZone: 'UTC' })

type Parts = Partial<Record<Intl.DateTimeFormatPartTypes, string>>

const partsOf = (format: Intl.DateTimeFormat, iso: string): Parts =>
  Object.fromEntries(format.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]))

const dayText = ({ day: number, month: name, year }: Parts) => `${number} ${name} ${year}`
const zoneOf = (format: Intl.DateTimeFormat, iso: string) => partsOf(format, iso).timeZoneName ?? ''
const clockText = ({ hour, minute }: Parts) => `${hour}:${minute}`
/** Axis labels omit the year. */
const dayAndMonth = ({ day: number, month: name }: Parts) => `${number} ${name}`

export const day = (iso: string) => dayText(partsOf(local, iso))
export const clock = (iso: string) => clockText(partsOf(local, iso))
export const moment = (iso: string) => `${day(iso)}, ${clock(iso)}`
/** For histories and logs, which people compare with other systems. */
export const momentWithZone = (iso: string) => `${moment(iso)} ${zoneOf(local, iso)}`
/** Beside times of the service, which are in UTC. */
export const clockWithZone = (iso: string) => `${clock(iso)} ${zoneOf(local, iso)}`
export const axisDay = (iso: string) => dayAndMonth(partsOf(local, iso))
export const utcDay = (iso: string) => dayText(partsOf(universal, iso))
export const utcAxisDay = (iso: string) => dayAndMonth(partsOf(universal, iso))

/** 2026-11 reads Nov 2026. */
export function month(yearAndMonth: string): string {
  const { month: name, year } = partsOf(universal, `${yearAndMonth}-01T00:00:00Z`)
  return `${name} ${year}`
}

/** 2026-11-04 reads 4 Nov 2026, wherever the viewer is; other text stays unchanged. */
export const dated = (text: string) =>
  text.replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, (each) => dayText(partsOf(universal, `${each}T00:00:00Z`)))

export const utc = (iso: string) => `${iso.slice(0, 19).replace('T', ' ')} UTC`

export const utcClock = (iso: string) => `${clockText(partsOf(universal, iso))} UTC`

/** The last complete hour, in UTC. The day is shown unless it is today. */
export function completeThrough(iso: string, now: Date): string {
  const time = utcClock(iso)
  const isToday = iso.slice(0, 10) === now.toISOString().slice(0, 10)
  return `Complete through ${isToday ? time : `${dayText(partsOf(universal, iso))}, ${time}`}`
}

/** In the largest suitable unit. */
export function ago(iso: string, now: Date): string {
  const passed = now.getTime() - new Date(iso).getTime()
  return passed < 5000 ? 'now' : `${span(passed)} ago`
}

export function span(ms: number): string {
  if (ms < minuteMs) return `${Math.max(0, Math.round(ms / 1000))} s`
  if (ms < hourMs) return `${Math.round(ms / minuteMs)} min`
  if (ms < 2 * dayMs) return `${Math.round(ms / hourMs)} h`
  return `${Math.round(ms / dayMs)} d`
}
