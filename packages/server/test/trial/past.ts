import type { Summary } from '@plimsoll/contract'
import { historyBatches, openWorld, Random, sendBatch, type Living, type Scenario } from '@plimsoll/simulator'
import { expect, vi } from 'vitest'
import type { PastTarget } from '../end-to-end/connect.ts'

const wait = { timeout: 300_000, interval: 4000 }
const secondsPerHour = 3600
/** Enough for every rule; the demo has up to 34 days. */
const daysOld = 17
const everyMinutes = 10

export type Past = {
  /** The objects at the end of the past. */
  living: Living
  second: number
  /** Sends the past as the agent sends its history. */
  send: (target: PastTarget) => Promise<void>
}

/** Simulates the past of a demo cluster until now. */
export function livePast(scenario: Scenario, second: number): Past {
  const toHour = Math.floor(second / secondsPerHour)
  const fromHour = toHour - daysOld * 24
  const world = openWorld(scenario, fromHour * secondsPerHour)
  const batches = [...historyBatches(world, { fromHour, toHour, everyMinutes })]
  while (world.second < second) world.advance({ measured: false })
  const send: Past['send'] = async ({ url, agentToken: token, clusterId, ask }) => {
    const sleep = (seconds: number) => new Promise<void>((resolve) => setTimeout(resolve, seconds * 1000))
    const target = { url, token, random: new Random(scenario.seed), sleep }
    for (const batch of batches) {
      const result = await sendBatch(batch, target)
      if (result.kind !== 'accepted') throw new Error(`The server did not accept the past: ${result.kind}`)
    }
    // An analysis of a part of the past would name other steps.
    await vi.waitFor(async () => {
      const { data_status: status } = await ask<Summary>(`/api/v1/clusters/${clusterId}/summary?window=7d`)
      expect(status).toBe('complete')
    }, wait)
  }
  return { living: world.living(), second, send }
}
