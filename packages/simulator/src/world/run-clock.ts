/** The runtime in the current minute in seconds, over any number of stops and starts. */
export type RunClock = {
  /** The start of the current run; -1: not running. */
  since: number
  /** Seconds of earlier runs that ended in `minute`. */
  ran: number
  minute: number
}

export const stoppedClock = (): RunClock => ({ since: -1, ran: 0, minute: -1 })

export function startClock(clock: RunClock, second: number): void {
  if (clock.since < 0) clock.since = second
}

export function stopClock(clock: RunClock, second: number): void {
  if (clock.since < 0) return
  const minute = Math.floor(second / 60)
  const before = clock.minute === minute ? clock.ran : 0
  clock.ran = before + second - Math.max(clock.since, minute * 60)
  clock.minute = minute
  clock.since = -1
}

export function secondsRunIn(clock: RunClock, minute: number): number {
  const before = clock.minute === minute ? clock.ran : 0
  return clock.since < 0 ? before : before + (minute + 1) * 60 - Math.max(clock.since, minute * 60)
}
