const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** In the viewer's zone; UTC is said on hover. */
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const dates = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const moments = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
const clocks = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
/** Days of the figures begin at midnight UTC. */
const months = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })
const utcDays = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })

export const day = (iso: string) => days.format(new Date(iso))
export const date = (iso: string) => dates.format(new Date(iso))
export const moment = (iso: string) => moments.format(new Date(iso))
export const clock = (iso: string) => clocks.format(new Date(iso))
export const utcDay = (iso: string) => utcDays.format(new Date(iso))
/** 2026-11 reads Nov 2026. */
export const month = (yearAndMonth: string) => months.format(new Date(`${yearAndMonth}-01T00:00:00Z`))
export const utc = (iso: string) => `${iso.slice(0, 19).replace('T', ' ')} UTC`

/** The largest unit that says enough. */
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
