import type { Overview } from '@plimsoll/contract'
import { dollars } from '../format/money.ts'
import { utc, dayMs } from '../format/time.ts'

export type WeekAgoPoint = {
  /** Position among the days of the trend; a day is at its middle. */
  index: number
  total: number
  words: string
  title: string
}

/**
 * The run rate of a week ago, with which the headline compares: 24 hours, seldom one UTC day. Null if a cluster joined since
 * then.
 */
export function weekAgoPoint({ as_of: asOf, week, trend, not_compared: others }: WeekFigures): WeekAgoPoint | null {
  const [first] = trend
  if (asOf === null || week === null || !first || others.length > 0) return null
  const until = Date.parse(asOf) - 7 * dayMs
  const index = (until - Date.parse(first.from)) / dayMs - 1
  if (index < 0 || trend.some(({ joined }, day) => day > index && joined.length > 0)) return null
  return {
    index,
    total: week.before,
    words: `7 days ago ${dollars(week.before)}`,
    title: `Run rate of the 24 hours before ${utc(new Date(until).toISOString())}`,
  }
}

type WeekFigures = Pick<Overview, 'as_of' | 'week' | 'trend' | 'not_compared'>
