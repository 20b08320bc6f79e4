import type { Allocation } from '@plimsoll/contract'
import { tenths } from '../../format/quantity.ts'

type Known = { hours: number; hoursWithData: number }

/** Two windows, and how many of their hours have data. */
export type ComparedHours = { now: Known; before: Known }

/** With fewer hours, a percentage would show the gap and not the cost. */
const leastShare = 0.98

const isKnown = ({ hours, hoursWithData }: Known) => hoursWithData >= leastShare * hours

/** A percentage compares cost per hour. Null if one of the windows has too little data. */
export function comparedPercent(
  { now, before }: ComparedHours,
  usd: { before: number; difference: number },
): number | null {
  if (!isKnown(now) || !isKnown(before) || usd.before === 0) return null
  const rate = ((usd.before + usd.difference) / now.hours) * before.hours
  return (100 * (rate - usd.before)) / usd.before
}

/** What a reader must know about the two windows; null if they have equal length and complete data. */
export function comparisonNote({ now, before }: ComparedHours): string | null {
  if (before.hoursWithData === 0) return 'No data in the compared period, so there is no comparison.'
  const missing = [
    ...(before.hoursWithData < before.hours ? [`The compared period has data for ${partText(before)}.`] : []),
    ...(now.hoursWithData < now.hours ? [`This period has data for ${partText(now)}.`] : []),
  ]
  if (missing.length > 0) return missing.join(' ')
  if (now.hours === before.hours) return null
  return `${lengthText(now.hours)} compared with ${lengthText(before.hours)}. Percentages are based on the cost per day.`
}

const hoursOfDays = 48

function partText({ hours, hoursWithData }: Known): string {
  if (hours < hoursOfDays || hours - hoursWithData < 24) return `${hoursWithData} of ${hours} hours`
  return `${daysIn(hoursWithData)} of ${daysIn(hours)} days`
}

const lengthText = (hours: number) => (hours < hoursOfDays ? `${hours} hours` : `${daysIn(hours)} days`)

const daysIn = (hours: number) => tenths(hours / 24)

export type ExplorerAnswer = Allocation & { note: string | null }

/** Amounts of another period are shown only as far as both periods have data. */
export function withComparison(allocation: Allocation): ExplorerAnswer {
  const { compare, window, hours_with_data: hoursWithData = window.hours } = allocation
  if (!compare) return { ...allocation, note: null }
  const hours = {
    now: { hours: window.hours, hoursWithData },
    before: { hours: compare.window.hours, hoursWithData: compare.hours_with_data ?? compare.window.hours },
  }
  const note = comparisonNote(hours)
  const { compare: _none, ...alone } = allocation
  return hours.before.hoursWithData === 0
    ? { ...alone, note }
    : { ...allocation, steps: allocation.steps.map((step) => stepWith(step, hours)), note }
}

type Step = Allocation['steps'][number]
type Compared = NonNullable<Step['compare']>['total']

function stepWith(step: Step, hours: ComparedHours): Step {
  const percentOf = (of: Compared): Compared => ({
    ...of,
    percent: comparedPercent(hours, { before: of.total, difference: of.difference }),
  })
  const orNull = (of: Compared | null) => of && percentOf(of)
  const lineWith = <Line extends { compare?: Compared }>(line: Line): Line =>
    line.compare ? { ...line, compare: percentOf(line.compare) } : line
  const { compare } = step
  return {
    ...step,
    rows: step.rows.map((row) => ({
      ...lineWith(row),
      ...(row.rows ? { rows: row.rows.map(lineWith) } : {}),
      ...(row.rest ? { rest: lineWith(row.rest) } : {}),
    })),
    ...(compare && {
      compare: {
        total: percentOf(compare.total),
        rest: percentOf(compare.rest),
        idle: orNull(compare.idle),
        unmounted: orNull(compare.unmounted),
        unattached: orNull(compare.unattached),
        overhead: orNull(compare.overhead),
      },
    }),
  }
}
