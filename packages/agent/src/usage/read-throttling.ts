import type { ThrottlingSink } from './throttling-counts.ts'
import type { UsageSource } from './usage-source.ts'

/**
 * The throttling metrics of a node are large. Each node is read every ten minutes, and some nodes every ten seconds.
 */
export const throttlingSeconds = 600
const turns = 60

export type ThrottlingOptions = {
  /** The current usage source. */
  source: () => UsageSource | undefined
  sink: ThrottlingSink
  sleep: (seconds: number, signal: AbortSignal) => Promise<void>
}

/** Runs continuously. Throttling is optional: failures leave it unknown and do not affect usage. */
export async function readThrottling({ source, sink, sleep }: ThrottlingOptions, signal: AbortSignal): Promise<void> {
  for (let turn = 0; !signal.aborted; turn = (turn + 1) % turns) {
    await source()
      ?.throttling?.(sink, { turn, turns }, signal)
      .catch(() => undefined)
    await sleep(throttlingSeconds / turns, signal)
  }
}
