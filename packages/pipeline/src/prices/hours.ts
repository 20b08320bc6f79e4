const millisecondsPerHour = 3_600_000

/** Prices change on full hours, because quantities are stored by the hour. */
export const startOfHour = (at: Date) => new Date(Math.floor(at.getTime() / millisecondsPerHour) * millisecondsPerHour)

export const isFullHour = (at: Date) => at.getTime() % millisecondsPerHour === 0

export const nextHour = (hour: Date) => new Date(hour.getTime() + millisecondsPerHour)
