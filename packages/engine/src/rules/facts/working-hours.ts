/** Working hours are Monday to Friday from 06:00 to 20:00 UTC: the first `days` of the week, `fromHour` ≤ hour < `toHour`. */
export const WORKING_HOURS = { days: 5, fromHour: 6, toHour: 20 } as const

export const HOURS_PER_WEEK = 168

export const WORKING_HOURS_PER_WEEK = WORKING_HOURS.days * (WORKING_HOURS.toHour - WORKING_HOURS.fromHour)

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`

export const WORKING_HOURS_TEXT = `Monday to Friday ${clock(WORKING_HOURS.fromHour)}–${clock(WORKING_HOURS.toHour)} UTC`
