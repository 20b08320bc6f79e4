import { objectKinds, type AgentFacts } from '@plimsoll/contract'
import { clusterUid, kubernetesVersion } from '../kubernetes/discovery.ts'
import { watchedBy } from '../kinds/kind-list.ts'
import { chooseSource } from '../usage/choose-source.ts'
import type { FindPod } from '../usage/find-container.ts'
import { readThrottling } from '../usage/read-throttling.ts'
import { Sampler } from '../usage/sampler.ts'
import { ThrottlingCounts } from '../usage/throttling-counts.ts'
import { usageSources, type UsageOptions } from '../usage/usage-sources.ts'
import { UsageWindows } from '../usage/usage-windows.ts'
import type { Log } from '../log.ts'
import type { ApiClient } from '../watch/api-client.ts'
import { Cluster } from '../observe/cluster.ts'
import type { Observer } from '../observer.ts'
import { sinksOf } from '../observe/sinks.ts'
import { sleepSeconds } from '../observe/sleep.ts'
import { Watches } from '../observe/watches.ts'

export type ObserverOptions = {
  client: ApiClient
  /** The version of the agent. */
  version: string
  usage?: UsageOptions
  /** Whether to read Java heap sizes from arguments and variables. Nothing else of them is stored. */
  readHeaps?: boolean
  /** Milliseconds since 1970. */
  now: () => number
  log: Log
  /** Between 0 and 1. */
  random: () => number
  sleep?: (seconds: number, signal: AbortSignal) => Promise<void>
  silenceSecondsMax?: number
}

/** Above this number, usage is sampled half as often. */
const manyPods = 20_000
/** Volumes fill slowly, and their reports are large. */
const volumeSeconds = 900

/** Starts to observe a cluster. */
export function openObserver(options: ObserverOptions): Observer {
  const { client, now, sleep = sleepSeconds, usage = {} } = options
  const stop = new AbortController()
  const second = () => Math.floor(now() / 1000)
  let isSynced = false
  let version = ''
  const cluster = new Cluster(() => watches.relist('endpointslices'))
  const sinks = sinksOf(cluster, { readHeaps: options.readHeaps ?? false })
  const watches = new Watches({ ...options, sinks, sleep })
  const findPod: FindPod = (namespace, name) => cluster.pods.named(namespace, name)
  const windows = new UsageWindows(findPod)
  const throttling = new ThrottlingCounts(findPod, second)
  const everySeconds = () => usage.sampleSeconds ?? (cluster.pods.size > manyPods ? 30 : 15)
  const { sources, volumes } = usageSources(client, usage, {
    places: () => cluster.nodes.kubelets(),
    everySeconds,
    now,
  })
  const sampler = new Sampler({
    choose: (signal) => chooseSource({ wanted: usage.wanted ?? 'auto', sources }, signal),
    sink: windows,
    everySeconds,
    sleep,
    now,
  })
  const readVolumes = async () => {
    while (volumes && !stop.signal.aborted) {
      const take = (namespace: string, claim: string, usedKib: number) =>
        cluster.volumes.setUsed(namespace, claim, usedKib, second())
      // The used space of volumes is optional.
      await volumes(take, stop.signal).catch(() => undefined)
      await sleep(volumeSeconds, stop.signal)
    }
  }
  watches.start()
  const synced = watches.synced.then(async () => {
    isSynced = true
    version = await kubernetesVersion(client, stop.signal).catch(() => '')
    // A snapshot sends all of it. The owners are known by now, or will stay unknown.
    cluster.take(0, Infinity)
  })
  const looking = watches.synced.then(() =>
    Promise.all([
      sampler.run(stop.signal),
      readVolumes(),
      readThrottling({ source: () => sampler.chosen, sink: throttling, sleep }, stop.signal),
    ]),
  )
  return {
    synced,
    facts: (): AgentFacts => ({
      version: options.version,
      kubernetes_version: version,
      usage_source: sampler.source,
      watches: objectKinds.filter((kind) => watchedBy[kind].every((name) => watches.isReadable(name))),
    }),
    conditions: () => [
      ...watches.conditions(),
      sampler.condition,
      ...sources.flatMap((source) => source.condition?.() ?? []),
    ],
    clusterUid: () => clusterUid(client, stop.signal),
    living: (at) => cluster.living(at),
    takeMinute: (minute) => {
      const { nodeRefs, ...facts } = cluster.take(minute, second())
      const used = windows.take(nodeRefs, minute)
      // Without current watches it is unknown whether the nodes existed.
      const isSeen = watches.isCurrent('nodes') && watches.isCurrent('pods')
      return { ...facts, events: [...facts.events, ...throttling.take()], usage: isSeen ? used : [] }
    },
    freshness: () => watches.freshness(),
    stop: async () => {
      stop.abort()
      await watches.stop()
      if (isSynced) await looking
    },
  }
}
