import { roundTogether } from './round.ts'

const percentages = new Intl.NumberFormat('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 })

export const percent = (fraction: number | null) =>
  fraction === null ? '–' : `${percentages.format(fraction * 100)} %`

/** Shares that add up to 100.0 %, by largest remainder; dashes if the total is 0. */
export function shares(parts: readonly number[]): string[] {
  const total = parts.reduce((sum, part) => sum + part, 0)
  if (total <= 0) return parts.map(() => '–')
  return roundTogether(parts.map((part) => (1000 * part) / total)).map((thousandths) => percent(thousandths / 1000))
}

/** A change, with a sign as wide as a digit. A change that rounds to zero has no sign. */
export function signedPercent(fraction: number): string {
  const size = percent(Math.abs(fraction))
  return size === percent(0) ? size : `${fraction < 0 ? '−' : '+'}${size}`
}

const wholeNumbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

export const number = (value: number) => wholeNumbers.format(value)

export const count = (value: number, one: string, many = `${one}s`) => {
  const text = number(value)
  return `${text} ${text === '1' ? one : many}`
}

/** A quantity that is seldom whole, such as days of replayed usage. */
export const countTenths = (value: number, one: string, many = `${one}s`) => {
  const text = tenths(value)
  return `${text} ${text === '1' ? one : many}`
}

export const tenths = (value: number) => String(Number(value.toFixed(1)))

/** Four significant digits, for facts without a specific format. */
export const fourDigits = (value: number) => Number(value.toPrecision(4)).toLocaleString('en-US')

/** Small shares: 0.19 %. */
export const finePercent = (fraction: number) => `${(100 * fraction).toFixed(2)} %`

/** For inputs of percent: a hundredth of a percent is the finest step. */
export const percentNumber = (share: number) => Number((100 * share).toFixed(2))

export const wholePercent = (fraction: number) => `${number(100 * fraction)} %`

export const days = (hours: number) => count(hours / 24, 'day')

/** CPU of containers, with a unit: 1.3m, 1450m, 2 cores. From 10 cores on, millicores are too many digits: 14.25 cores. */
export function cores(millicores: number): string {
  if (millicores < 10) return `${tenths(millicores)}m`
  const whole = Math.round(millicores)
  if (whole < 10_000 && whole % 1000 !== 0) return `${whole}m`
  return countHundredths(whole / 1000, 'core')
}

/** An axis in cores has the unit in its title: 0.5, 1, 1.5. */
export const coresOnAxis = (millicores: number) => String(Number((millicores / 1000).toFixed(4)))

/** Always in cores, for columns: 0.05 cores, 2.00 cores. */
export const wholeCores = (many: number) => `${many.toFixed(2)} cores`

const countHundredths = (value: number, one: string) => {
  const text = String(Number(value.toFixed(2)))
  return `${text} ${text === '1' ? one : `${one}s`}`
}

/** CPU of machines, as providers sell it. */
export const vcpus = (many: number) => `${Number(many.toFixed(2))} vCPU`

const binaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

/** Memory and storage: 3.32 GiB, 512 MiB, 1,000 GiB. Three digits, and a fourth one before the next unit. */
export function bytes(value: number): string {
  let step = 0
  let rest = value
  while (rest >= 1024 && step < binaryUnits.length - 1) {
    rest /= 1024
    step += 1
  }
  const digits = rest < 1000 ? Number(rest.toPrecision(3)) : Math.round(rest)
  return `${digits.toLocaleString('en-US')} ${binaryUnits[step]}`
}

export const gibibytes = (gib: number) => bytes(gib * 1024 ** 3)

const bytesPer: Record<string, number> = { Ki: 1024, Mi: 1024 ** 2, Gi: 1024 ** 3, Ti: 1024 ** 4 }

/** The same for all quantities in a sentence of the service. */
export const withUnits = (text: string) =>
  text
    .replaceAll(/\b\d+(?:\.\d+)?(?:Ki|Mi|Gi|Ti)\b/g, quantity)
    .replaceAll(/(?<![\d,.])\d{4,}(?= GiB\b)/g, (gib) => Number(gib).toLocaleString('en-US'))

/** A quantity of Kubernetes as people read it: 34407Mi is 33.6 GiB, 2000m is 2 cores. Other values stay as they are. */
export function quantity(value: string | number | boolean | null): string {
  const text = String(value)
  const [, size, unit = ''] = /^(\d+(?:\.\d+)?)(Ki|Mi|Gi|Ti|m)$/.exec(text) ?? []
  if (size === undefined) return text
  return unit === 'm' ? cores(Number(size)) : bytes(Number(size) * (bytesPer[unit] ?? 1))
}

/** A CPU quantity: Kubernetes writes 2 for two cores. */
export function cpuQuantity(value: string | number | boolean | null): string {
  const number = Number(value)
  return value === null || value === '' || typeof value === 'boolean' || Number.isNaN(number)
    ? quantity(value)
    : cores(1000 * number)
}
