/** One value of a table: formatted for people, and unformatted for programs. */
export type Cell = {
  readonly text: string
  readonly raw: string | number | boolean | null
  readonly isNumber: boolean
}

/** Stands for an unknown value. */
const unknownText = '-'

/** Created with the first figure, because it takes milliseconds. */
const formatter = (options: Intl.NumberFormatOptions) => {
  let format: Intl.NumberFormat | undefined
  return (value: number) => (format ??= new Intl.NumberFormat('en-US', options)).format(value)
}
const dollars = formatter({ style: 'currency', currency: 'USD' })
const numbers = formatter({ maximumFractionDigits: 2 })
const percents = formatter({ style: 'percent', maximumFractionDigits: 1 })

const unknown = (isNumber: boolean): Cell => ({ text: unknownText, raw: null, isNumber })

type Maybe<Value> = Value | null | undefined

export const text = (value: Maybe<string>): Cell =>
  value === null || value === undefined || value === ''
    ? unknown(false)
    : { text: visible(value), raw: value, isNumber: false }

const numeric = (value: Maybe<number>, format: (value: number) => string): Cell =>
  value === null || value === undefined ? unknown(true) : { text: format(value), raw: value, isNumber: true }

export const usd = (value: Maybe<number>): Cell => numeric(value, dollars)
export const count = (value: Maybe<number>): Cell => numeric(value, numbers)
/** From a share between 0 and 1. */
export const share = (value: Maybe<number>): Cell => numeric(value, percents)
/** From a number between 0 and 100. */
export const percent = (value: Maybe<number>): Cell => numeric(value, (each) => percents(each / 100))

const bytesPerGib = 1024 ** 3
export const gib = (bytes: Maybe<number>): Cell => numeric(bytes, (each) => `${numbers(each / bytesPerGib)} GiB`)

export const yesNo = (value: boolean): Cell => ({ text: value ? 'yes' : 'no', raw: value, isNumber: false })

/** Names come from clusters and users: a control character could change the terminal. */
export const visible = (value: string): string => value.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
