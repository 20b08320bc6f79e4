import type { Savings } from '@plimsoll/contract'

export type CurvePoint = { day: string; promised: number; observed: number }

const dayMs = 86_400_000
const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** What raises requests costs, and may make up for what saves: only a day on which nothing was done is left out. */
const isDone = ({ implemented, resolved, observed }: Savings['rows'][number]) =>
  [implemented, resolved, observed].some((usd) => usd !== 0)

/** What was done until each day: what it promised a month, and what is seen of it now. From nothing up to today. */
export function curveOf(rows: Savings['rows'], now: Date): CurvePoint[] {
  const steps = rows.flatMap((row) =>
    row.day !== undefined && isDone(row)
      ? [{ day: row.day, promised: row.implemented + row.resolved, observed: row.observed }]
      : [],
  )
  const [first] = steps
  if (!first) return []
  let [promised, observed] = [0, 0]
  const points = steps.map((step) => ({
    day: step.day,
    promised: (promised += step.promised),
    observed: (observed += step.observed),
  }))
  const before = { day: isoDay(Date.parse(first.day) - dayMs), promised: 0, observed: 0 }
  const today = isoDay(now.getTime())
  return [before, ...points, ...(today > (points.at(-1)?.day ?? '') ? [{ day: today, promised, observed }] : [])]
}
