/** A summed day. `runningSince` is the first day of its running totals; null without them. */
export type SummedDay = { day: Date; runningSince: Date | null }

/**
 * The whole days of a window as few sums: add `totals` and `days`, subtract `lessTotals` and `lessDays`. Totals are running
 * totals, days are sums of one day.
 */
export type DaySpans = { days: Date[]; totals: Date[]; lessDays: Date[]; lessTotals: Date[] }

/** As many single days cost no more than two totals. */
const singleDaysMax = 2

/** `days` are the days of a window in ascending order, `before` is the last summed day before them. */
export function daySpansOf(days: readonly SummedDay[], before: SummedDay | undefined): DaySpans {
  const spans: DaySpans = { days: [], totals: [], lessDays: [], lessTotals: [] }
  for (let last = days.length - 1; last >= 0;) {
    const first = firstInTotal(days, last)
    if (last - first >= singleDaysMax && addTotal(spans, { days, first, last, before })) last = first - 1
    else for (; last >= first; last -= 1) spans.days.push(dayAt(days, last).day)
  }
  return spans
}

const dayAt = (days: readonly SummedDay[], at: number): SummedDay => {
  const found = days[at]
  if (!found) throw new Error(`no day at ${at}`)
  return found
}

/** The first day of the window that the running totals of the last day contain. */
function firstInTotal(days: readonly SummedDay[], last: number): number {
  const { runningSince } = dayAt(days, last)
  if (runningSince === null) return last
  let first = last
  while (first > 0 && dayAt(days, first - 1).day >= runningSince) first -= 1
  return first
}

type Part = { days: readonly SummedDay[]; first: number; last: number; before: SummedDay | undefined }

/** False if the totals contain days before the window that cannot be subtracted. */
function addTotal(spans: DaySpans, { days, first, last, before }: Part): boolean {
  const { day, runningSince } = dayAt(days, last)
  if (runningSince === null) return false
  if (runningSince < dayAt(days, first).day) {
    if (before?.runningSince?.getTime() !== runningSince.getTime()) return false
    const less = before.day.getTime() === runningSince.getTime() ? spans.lessDays : spans.lessTotals
    less.push(before.day)
  }
  spans.totals.push(day)
  return true
}
