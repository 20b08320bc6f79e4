import type { Series } from './traces.ts'

/** The first decision of a series and the interval, in samples. */
export type Plan = { readonly perDay: number; readonly warmUp: number; readonly step: number }

const WARM_UP_DAYS = 7

/** Daily after a week if there are two weeks; otherwise after a third of the data; hourly below four days. */
export function planOf({ dt, length }: Series, stepSeconds?: number): Plan {
  const perDay = Math.round(86_400 / dt)
  const days = length / perDay
  const hour = Math.max(1, Math.round(3600 / dt))
  const own = stepSeconds === undefined ? undefined : Math.max(1, Math.round(stepSeconds / dt))
  if (days >= 14) return { perDay, warmUp: WARM_UP_DAYS * perDay, step: own ?? perDay }
  if (days >= 4) return { perDay, warmUp: Math.max(perDay, Math.floor(days * 0.3) * perDay), step: own ?? perDay }
  return { perDay, warmUp: Math.round(length * 0.4), step: own ?? hour }
}

export function isJudged(series: Series, { warmUp, step }: Plan): boolean {
  return series.length > warmUp + step
}
