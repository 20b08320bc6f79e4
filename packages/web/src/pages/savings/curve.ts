import { dayMs } from '../../format/time.ts'
import type { Savings } from '@plimsoll/contract'

export type CurvePoint = { day: string; promised: number; observed: number }

const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** Omits days without changes. Savings and extra cost of a day can cancel out, so the sum does not decide. */
const isDone = ({ implemented, resolved, observed }: Savings['rows'][number]) =>
  [implemented, resolved, observed].some((usd) => usd !== 0)

/** Changes through each day: estimated and currently observed savings per month, from $0 to today. */
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
