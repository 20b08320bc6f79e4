import { encodeBatch, type EncodedBatch, EpochWriter, HourUsage, type Living, type MinuteFacts } from '@plimsoll/agent'
import type { PodVersion } from '@plimsoll/contract'
import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import type { World } from '../world/world.ts'
import { agentFacts, epochOf } from './simulated-agent.ts'

export type HistoryOptions = {
  /** The first hour to send, in hours since 1970. Earlier hours are simulated but not sent. */
  readonly fromHour: number
  /** The hour after the last hour to send. */
  readonly toHour: number
  /** The sample interval in minutes. Default 5. */
  readonly everyMinutes?: number
  readonly hoursPerBatch?: number
  /** The run number of this world, from 0. */
  readonly run?: number
}

type Objects = Pick<MinuteFacts, 'namespaces' | 'nodes' | 'pods' | 'volumes' | 'balancers' | 'ends'>

const EVERY_MINUTES = 5
const HOURS_PER_BATCH = 72
/** Separate from the epoch numbers of agent logs. */
const FIRST_EPOCH_NUMBER = 1_000_000

/** Simulates the past of a world and yields it hour by hour as backfill batches, in order. */
export function* historyBatches(world: World, options: HistoryOptions): Generator<EncodedBatch> {
  const { fromHour, toHour, everyMinutes = EVERY_MINUTES, hoursPerBatch = HOURS_PER_BATCH, run = 0 } = options
  while (world.second < fromHour * SECONDS_PER_HOUR) world.advance({ measured: false })
  const epoch = epochOf(world, FIRST_EPOCH_NUMBER + run)
  const writer = new EpochWriter({ agent: () => agentFacts(world.scenario), epoch })
  const pods = new Map<number, PodVersion>()
  let objects = everything(world.living())
  let seq = 0
  for (let hour = fromHour; hour < toHour; hour += hoursPerBatch) {
    const hours: HourUsage[] = []
    while (hours.length < hoursPerBatch && hour + hours.length < toHour) {
      hours.push(liveThroughHour(world, { hour: hour + hours.length, everyMinutes, objects, pods }))
    }
    // Objects without a cost are not part of history.
    const batch = writer.history({ ...objects, objects: [] }, hours, world.second)
    yield encodeBatch({ batch, epoch, seq: (seq += 1) }, world.scenario.clusterUid, 'backfill')
    objects = nothing()
  }
}

/** Stores changes in `objects`, because a batch must have the objects of its hours. */
function liveThroughHour(
  world: World,
  { hour, everyMinutes, objects, pods }: { hour: number; everyMinutes: number; objects: Objects; pods: Pods },
): HourUsage {
  const usage = new HourUsage(hour, everyMinutes)
  const podOf = (ref: number) => pods.get(ref)
  if (pods.size === 0) for (const pod of objects.pods) pods.set(pod.ref, pod)
  while (world.second < (hour + 1) * SECONDS_PER_HOUR) {
    const facts = world.advance({ measured: (world.second / 60) % everyMinutes === 0 })
    for (const pod of facts.pods) pods.set(pod.ref, pod)
    for (const event of facts.events) usage.addEvent(event, podOf)
    for (const node of facts.usage) usage.addMinute(node, podOf)
    append(objects, facts)
    for (const { ref } of facts.ends) pods.delete(ref)
  }
  return usage
}

type Pods = Map<number, PodVersion>

const nothing = (): Objects => ({ namespaces: [], nodes: [], pods: [], volumes: [], balancers: [], ends: [] })

const everything = ({ namespaces, nodes, pods, volumes, balancers }: Living): Objects => ({
  namespaces: [...namespaces],
  nodes: [...nodes],
  pods: [...pods],
  volumes: [...volumes],
  balancers: [...balancers],
  ends: [],
})

function append(objects: Objects, facts: MinuteFacts): void {
  objects.namespaces.push(...facts.namespaces)
  objects.nodes.push(...facts.nodes)
  objects.pods.push(...facts.pods)
  objects.volumes.push(...facts.volumes)
  objects.balancers.push(...facts.balancers)
  objects.ends.push(...facts.ends)
}
