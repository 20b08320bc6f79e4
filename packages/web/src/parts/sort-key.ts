/** Null sorts last in both directions. */
export type SortKey = number | string | null

const units: Record<string, number> = {
  m: 1e-3,
  k: 1e3,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
  s: 1,
  min: 60,
  h: 3600,
  d: 86_400,
}

const datePattern = /^\d{1,2} [A-Z][a-z]{2} \d{4}(?:, \d{2}:\d{2})?/
const dayPattern = /^\d{1,2} [A-Z][a-z]{2}$/
/** A blank, a slash or the end follows an amount: "2048-game" and "10.0.3.7" are names. */
const amountPattern = new RegExp(
  `^<?([+−-]?)\\$?(\\d[\\d,]*(?:\\.\\d+)?)\\s?(${Object.keys(units).join('|')})?(?=[\\s/%]|$)`,
)

/** The order of a table cell by its text: amounts by value and unit, dates by time, other text by name. */
export function sortKeyOf(text: string, now = new Date()): SortKey {
  const shown = text.trim()
  if (shown === '' || shown === '–') return null
  const date = datePattern.exec(shown)
  if (date) return Date.parse(`${date[0].replace(',', '')} UTC`)
  if (dayPattern.test(shown)) return dayWithoutYear(shown, now)
  const amount = amountPattern.exec(shown)
  if (!amount) return shown.toLowerCase()
  const [, sign = '', digits = '', unit = ''] = amount
  const value = Number(digits.replaceAll(',', '')) * (units[unit] ?? 1)
  // "<$1" comes before "$1".
  const exact = shown.startsWith('<') ? value / 2 : value
  return sign === '' || sign === '+' ? exact : -exact
}

/** Such a day is in the past year. */
function dayWithoutYear(text: string, now: Date): number {
  const year = now.getUTCFullYear()
  const at = Date.parse(`${text} ${year} UTC`)
  return at <= now.getTime() ? at : Date.parse(`${text} ${year - 1} UTC`)
}

export function compareKeys(a: SortKey, b: SortKey, isDescending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(String(a), String(b))
  return isDescending ? -order : order
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
