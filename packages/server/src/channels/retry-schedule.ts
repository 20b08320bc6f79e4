const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs

/** The waits between ten tries, together 75 hours and 35 minutes. */
const waitsMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]

export const triesPerRound = waitsMs.length + 1

/** A receiver may ask for more time, up to this. */
const retryAfterMsMax = 24 * hourMs

type FailedTry = { tries: number; triesMax: number; retryAfterMs: number | undefined; now: Date }

/** Undefined: that was the last try. */
export function nextTryAt({ tries, triesMax, retryAfterMs = 0, now }: FailedTry): Date | undefined {
  if (tries >= triesMax) return undefined
  // Counted from the end, because a redelivery adds a round of tries.
  const waitMs = waitsMs[Math.max(0, waitsMs.length - (triesMax - tries))] ?? 0
  return new Date(now.getTime() + Math.max(waitMs, Math.min(retryAfterMs, retryAfterMsMax)))
}

/** `Retry-After` in seconds or as a date. */
export function parseRetryAfter(text: string | undefined, now: Date): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text) * secondMs
  const at = Date.parse(text)
  return Number.isNaN(at) || at <= now.getTime() ? undefined : at - now.getTime()
}
