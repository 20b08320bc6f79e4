const number = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 })
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** With thousands separators: 18,724. */
export const grouped = (value: number) => number.format(value)

/** With thousands separators and cents, without a sign: 1,235.16. */
export const groupedCents = (value: number) => cents.format(Math.abs(value))

export const count = (value: number, one: string, many = `${one}s`) => `${grouped(value)} ${value === 1 ? one : many}`
