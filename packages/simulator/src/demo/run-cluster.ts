import { sendBatch, type Target } from '@plimsoll/agent'
import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import { tellHistory } from '../batches/history-teller.ts'
import { SimulatedAgent } from '../batches/simulated-agent.ts'
import { runAgent, type RunReport } from '../send/run-agent.ts'
import type { World } from '../world/world.ts'
import type { DemoCluster } from './demo-state.ts'

/** What the demo looks at: often enough for its stories, seldom enough for a quick start. */
const everyMinutes = 10

/**
 * Tells the hours that nobody has told: of a new cluster all its past, of one that was there before what happened while the
 * demo was off. Leaves the world at the present minute.
 */
export async function catchUp(world: World, target: Target, cluster: DemoCluster, now: number): Promise<void> {
  const toHour = Math.floor(now / SECONDS_PER_HOUR)
  const { toldUntil: fromHour, runs: telling } = cluster
  const past = fromHour < toHour ? tellHistory(world, { fromHour, toHour, everyMinutes, telling }) : []
  for (const batch of past) {
    const result = await sendBatch(batch, target)
    if (result.kind !== 'accepted') throw new Error(`The past of ${world.scenario.name} was not taken: ${result.kind}`)
  }
  const present = Math.floor(now / 60) * 60
  while (world.second < present) world.advance({ measured: false })
}

/** From now on one minute per minute. */
export function goLive(
  world: World,
  target: Target,
  { runs }: DemoCluster,
  options: { now: () => number; signal: AbortSignal },
): Promise<RunReport> {
  return runAgent(new SimulatedAgent(world, { log: runs }), target, { pace: 'live', ...options })
}
