// Other rules that forecast the days to come from the days before. Each rule gets the known days and the number of days.
import { mean } from './money.ts'

export type Rule = (past: readonly number[], count: number) => number[]

const WEEK = 7
const FITTED_DAYS = 112

/** Keeps a weekday without costs from dividing by 0. */
const SEASON_MIN = 0.05

export const lastWeekAgain: Rule = (past, count) =>
  Array.from({ length: count }, (_, index) => past[past.length - WEEK + (index % WEEK)] ?? 0)

/** The season of day `index` is `season[index % 7]`. */
function seasonOf(past: readonly number[]): number[] {
  const all = mean(past)
  const ofDay = (offset: number) => mean(past.filter((_, index) => index % WEEK === offset))
  return Array.from({ length: WEEK }, (_, offset) => (all > 0 ? Math.max(SEASON_MIN, ofDay(offset) / all) : 1))
}

function smooth(values: readonly number[], alpha: number): { level: number; error: number } {
  let [level, error] = [mean(values.slice(0, WEEK)), 0]
  for (const value of values) {
    error += (value - level) ** 2
    level += alpha * (value - level)
  }
  return { level, error }
}

function slopeOf(values: readonly number[]): number {
  const [x, y] = [(values.length - 1) / 2, mean(values)]
  const spread = values.reduce((sum, _, index) => sum + (index - x) ** 2, 0)
  return values.reduce((sum, value, index) => sum + (index - x) * (value - y), 0) / spread
}

/** Exponential smoothing with half the slope of a line, on costs without their weekdays. */
export const theta: Rule = (whole, count) => {
  const past = whole.slice(-FITTED_DAYS)
  const season = seasonOf(past)
  const flat = past.map((value, index) => value / (season[index % WEEK] ?? 1))
  const [best] = [0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9]
    .map((alpha) => ({ alpha, ...smooth(flat, alpha) }))
    .sort((a, b) => a.error - b.error)
  const { alpha = 0.1, level = 0 } = best ?? {}
  const drift = slopeOf(flat) / 2
  const start = (1 - (1 - alpha) ** flat.length) / alpha
  return Array.from({ length: count }, (_, index) => {
    const value = level + drift * (index + start)
    return Math.max(0, value * (season[(past.length + index) % WEEK] ?? 1))
  })
}

type Weights = { alpha: number; beta: number; gamma: number; phi: number }
type State = { level: number; trend: number; season: number[]; error: number }

function holtWintersState(past: readonly number[], { alpha, beta, gamma, phi }: Weights): State {
  const season = seasonOf(past.slice(0, 4 * WEEK))
  let [level, trend, error] = [mean(past.slice(0, WEEK)), 0, 0]
  past.forEach((value, index) => {
    const factor = season[index % WEEK] ?? 1
    const expected = level + phi * trend
    error += (value - expected * factor) ** 2
    const next = alpha * (value / factor) + (1 - alpha) * expected
    trend = beta * (next - level) + (1 - beta) * phi * trend
    level = next
    season[index % WEEK] = Math.max(SEASON_MIN, gamma * (level > 0 ? value / level : 1) + (1 - gamma) * factor)
  })
  return { level, trend, season, error }
}

const weights: Weights[] = [0.05, 0.2, 0.5, 0.8].flatMap((alpha) =>
  [0.01, 0.1, 0.3].flatMap((beta) =>
    [0.05, 0.2].flatMap((gamma) => [0.9, 0.98].map((phi) => ({ alpha, beta, gamma, phi }))),
  ),
)

/** Holt-Winters with a damped trend and weekday factors. */
export const holtWinters: Rule = (whole, count) => {
  const past = whole.slice(-FITTED_DAYS)
  const [best] = weights
    .map((each) => ({ phi: each.phi, ...holtWintersState(past, each) }))
    .sort((a, b) => a.error - b.error)
  if (!best) return []
  let [damped, power] = [0, 1]
  return Array.from({ length: count }, (_, index) => {
    power *= best.phi
    damped += power
    const factor = best.season[(past.length + index) % WEEK] ?? 1
    return Math.max(0, (best.level + damped * best.trend) * factor)
  })
}
