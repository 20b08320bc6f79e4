import { sendBatch, type EncodedBatch, type Target } from '@plimsoll/agent'
import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import { historyBatches } from '../batches/history-batches.ts'
import { SimulatedAgent } from '../batches/simulated-agent.ts'
import { runAgent, type RunReport } from '../send/run-agent.ts'
import type { World } from '../world/world.ts'
import type { DemoCluster } from './demo-state.ts'

/** The sample interval of the demo: short enough for its stories, long enough for a quick start. */
const everyMinutes = 10
/** The service processes a day while the next one is simulated. */
const hoursPerBatch = 24

type SendOptions = { second: number; signal: AbortSignal; onShare: (share: number) => void }

/**
 * Sends the missing hours: the whole history of a new cluster, or the time since the last start. Leaves the world at
 * the last full minute before `second`. An interrupted call sends the same data again next time.
 */
export async function catchUp(
  world: World,
  target: Target,
  cluster: DemoCluster,
  { second, signal, onShare }: SendOptions,
): Promise<void> {
  const toHour = Math.floor(second / SECONDS_PER_HOUR)
  const { firstUnsentHour: fromHour, runs: run } = cluster
  const past = fromHour < toHour ? historyBatches(world, { fromHour, toHour, everyMinutes, hoursPerBatch, run }) : []
  const begin = fromHour * SECONDS_PER_HOUR
  for (const batch of past) {
    await send(batch, world, target)
    if (signal.aborted) return
    onShare((world.second - begin) / (second - begin))
  }
  const present = Math.floor(second / 60) * 60
  while (world.second < present) world.advance({ measured: false })
}

/** Sends the current objects once, without usage. */
export async function showOnce(world: World, target: Target, { runs }: DemoCluster): Promise<void> {
  for (const batch of new SimulatedAgent(world, { log: runs }).snapshot()) await send(batch, world, target)
}

async function send(batch: EncodedBatch, { scenario }: World, target: Target): Promise<void> {
  const result = await sendBatch(batch, target)
  if (result.kind !== 'accepted')
    throw new Error(`The server did not accept the data of ${scenario.name}: ${result.kind}`)
}

/** From now on one simulated minute per minute. */
export function goLive(
  world: World,
  target: Target,
  { runs }: DemoCluster,
  options: { now: () => number; signal: AbortSignal },
): Promise<RunReport> {
  return runAgent(new SimulatedAgent(world, { log: runs }), target, { pace: 'live', ...options })
}
