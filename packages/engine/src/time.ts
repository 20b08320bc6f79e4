export const SECONDS_PER_HOUR = 3600
export const SECONDS_PER_DAY = 86_400

/** Of JavaScript dates, in milliseconds. */
export const hourMs = 3_600_000
export const dayMs = 24 * hourMs

/** 8,760 hours a year over twelve months. The only definition of a month. */
export const HOURS_PER_MONTH = 730

/** Whole epoch seconds, half-open: `from` ≤ second < `to`, so that adjacent spans never count a second twice. */
export type TimeSpan = { readonly from: number; readonly to: number }

export function secondsOf(span: TimeSpan): number {
  return Math.max(0, span.to - span.from)
}

export function intersect(a: TimeSpan, b: TimeSpan): TimeSpan {
  const from = Math.max(a.from, b.from)
  return { from, to: Math.max(from, Math.min(a.to, b.to)) }
}

/** The window cut into pieces without changes: at every start and end inside it. */
export function cutAtChanges(window: TimeSpan, spans: readonly TimeSpan[]): TimeSpan[] {
  const inside = spans.flatMap(({ from, to }) => [from, to]).filter((at) => window.from < at && at < window.to)
  const cuts = [...new Set([window.from, ...inside])].sort((a, b) => a - b)
  return cuts.map((from, index) => ({ from, to: cuts[index + 1] ?? window.to })).filter(({ from, to }) => from < to)
}
