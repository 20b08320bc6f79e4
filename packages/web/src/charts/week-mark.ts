import type { Overview } from '@plimsoll/contract'
import { dollars } from '../format/money.ts'
import { utc } from '../format/time.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export type WeekMark = {
  /** Among the days of the trend, which stand for their middles. */
  index: number
  total: number
  words: string
  title: string
}

/**
 * Where the trend was a week ago, by the figure that the headline compares with: 24 hours that seldom are one UTC day. With a
 * cluster more since then there is nothing to compare.
 */
export function weekMark({ as_of: asOf, week, trend, not_compared: others }: WeekFigures): WeekMark | null {
  const [first] = trend
  if (asOf === null || week === null || !first || others.length > 0) return null
  const until = Date.parse(asOf) - 7 * dayMs
  const index = (until - Date.parse(first.from)) / dayMs - 1
  if (index < 0 || trend.some(({ joined }, day) => day > index && joined.length > 0)) return null
  return {
    index,
    total: week.before,
    words: `a week ago ${dollars(week.before)}`,
    title: `At the rate of the 24 hours until ${utc(new Date(until).toISOString())}`,
  }
}

type WeekFigures = Pick<Overview, 'as_of' | 'week' | 'trend' | 'not_compared'>
