import type { Series } from './traces.ts'

/** When a series is first decided and how often, in samples. */
export type Plan = { readonly perDay: number; readonly warmUp: number; readonly step: number }

const WARM_UP_DAYS = 7

/** Daily after a week where there are two; after a third of what there is where there are fewer; hourly below four days. */
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
