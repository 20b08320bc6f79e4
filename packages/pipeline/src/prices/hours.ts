import { hourMs } from '@plimsoll/engine'

/** Prices change on full hours, because quantities are stored by the hour. */
export const startOfHour = (at: Date) => new Date(Math.floor(at.getTime() / hourMs) * hourMs)

export const isFullHour = (at: Date) => at.getTime() % hourMs === 0

export const nextHour = (hour: Date) => new Date(hour.getTime() + hourMs)
