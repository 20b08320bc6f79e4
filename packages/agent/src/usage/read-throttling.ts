import type { ThrottlingSink } from './throttling-counts.ts'
import type { UsageSource } from './usage-source.ts'

/** What a node says about throttling is long: each is asked every ten minutes, some of them every ten seconds. */
export const throttlingSeconds = 600
const turns = 60

export type ThrottlingOptions = {
  /** Who tells what containers use at this moment. */
  source: () => UsageSource | undefined
  sink: ThrottlingSink
  sleep: (seconds: number, signal: AbortSignal) => Promise<void>
}

/** Again and again. Throttling does not have to be known: what cannot be read stays unknown, and usage is read all the same. */
export async function readThrottling({ source, sink, sleep }: ThrottlingOptions, signal: AbortSignal): Promise<void> {
  for (let turn = 0; !signal.aborted; turn = (turn + 1) % turns) {
    await source()
      ?.throttling?.(sink, { turn, turns }, signal)
      .catch(() => undefined)
    await sleep(throttlingSeconds / turns, signal)
  }
}
