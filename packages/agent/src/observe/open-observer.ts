import { objectKinds, type AgentFacts } from '@plimsoll/contract'
import { clusterUid, kubernetesVersion } from '../kubernetes/discovery.ts'
import { watchedBy } from '../kinds/kind-list.ts'
import { Sampler } from '../usage/sampler.ts'
import type { UsageSource } from '../usage/usage-source.ts'
import { UsageWindows } from '../usage/usage-windows.ts'
import type { ApiClient } from '../watch/api-client.ts'
import { Cluster, type KnownNode } from './cluster.ts'
import type { Observer } from './observer.ts'
import { sinksOf } from './sinks.ts'
import { Watches } from './watches.ts'

export type ObserverOptions = {
  client: ApiClient
  /** Of the agent. */
  version: string
  /** Which source tells what containers use; asked again when one fails. */
  chooseUsage: (
    nodes: () => Iterable<{ readonly facts: KnownNode }>,
    signal: AbortSignal,
  ) => Promise<UsageSource | { why: string }>
  sampleSeconds?: number
  /** Whether to read the size of Java heaps out of arguments and variables, of which nothing else is kept. */
  readHeaps?: boolean
  /** Milliseconds since 1970. */
  now: () => number
  /** Between 0 and 1. */
  random: () => number
  sleep?: (seconds: number, signal: AbortSignal) => Promise<void>
  silenceSecondsMax?: number
}

/** Begins to look at a cluster. */
export function openObserver(options: ObserverOptions): Observer {
  const { client, now, random, sleep = sleepSeconds, sampleSeconds = 15 } = options
  const stop = new AbortController()
  const second = () => Math.floor(now() / 1000)
  let isSynced = false
  const cluster = new Cluster(() => isSynced && watches.restart('endpointslices'))
  const watches = new Watches({
    client,
    sinks: sinksOf(cluster, { readHeaps: options.readHeaps ?? false }),
    now,
    sleep,
    random,
    ...(options.silenceSecondsMax === undefined ? {} : { silenceSecondsMax: options.silenceSecondsMax }),
  })
  const windows = new UsageWindows((namespace, name) => cluster.pods.named(namespace, name))
  const sampler = new Sampler({
    choose: (signal) => options.chooseUsage(() => cluster.nodes(), signal),
    sink: windows,
    everySeconds: sampleSeconds,
    sleep,
    now,
  })
  let version = ''
  watches.start()
  const synced = watches.synced.then(async () => {
    isSynced = true
    version = await kubernetesVersion(client, stop.signal).catch(() => '')
    // All of it is told as what lives now.
    cluster.take(0, second())
  })
  const sampling = watches.synced.then(() => sampler.run(stop.signal))
  return {
    synced,
    facts: (): AgentFacts => ({
      version: options.version,
      kubernetes_version: version,
      usage_source: sampler.source,
      watches: objectKinds.filter((kind) => watchedBy[kind].every((name) => watches.isReadable(name))),
    }),
    conditions: () => [...watches.conditions(), sampler.condition],
    clusterUid: () => clusterUid(client, stop.signal),
    living: (at) => cluster.living(at),
    takeMinute: (minute) => {
      const { nodeRefs, ...facts } = cluster.take(minute, second())
      const usage = windows.take(nodeRefs, minute)
      // Of a time in which nobody could look it is not even known that the nodes were there.
      const isSeen = watches.isCurrent('nodes') && watches.isCurrent('pods')
      return { ...facts, usage: isSeen ? usage : [] }
    },
    freshness: () => watches.freshness(),
    stop: async () => {
      stop.abort()
      await watches.stop()
      if (isSynced) await sampling
    },
  }
}

async function sleepSeconds(seconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, seconds * 1000)
    signal.addEventListener('abort', done)
  })
}
