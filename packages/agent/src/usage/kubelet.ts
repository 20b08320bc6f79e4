import type { ClusterAccess } from '../kubernetes/cluster-access.ts'
import { httpClient, type HttpClient } from '../kubernetes/http-client.ts'
import type { KubeletPlace } from '../kinds/nodes.ts'
import { ApiError, type ApiClient } from '../watch/api-client.ts'
import { text } from '../watch/lines.ts'
import { parseMetricLine } from './metric-line.ts'
import type { UsageSink, UsageSource } from './usage-source.ts'

export type KubeletOptions = {
  places: () => Iterable<KubeletPlace>
  /** How one of them is asked. */
  clientOf: (place: KubeletPlace) => ApiClient
}

const togetherMax = 20
const nodeSecondsMax = 10
const clientsMax = 20_000

/** Asks every node what its containers have used since they were started: exact means, and no peak is missed. */
export function kubelet(options: KubeletOptions): UsageSource & { volumes: VolumeUse } {
  const ask = async (place: KubeletPlace, path: string, signal: AbortSignal) => {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(nodeSecondsMax * 1000)])
    const { status, body } = await options.clientOf(place).get(path, {}, patience, 'text/plain,application/json')
    const answer = await text(body)
    if (status !== 200) throw new ApiError(status, answer.slice(0, 300))
    return answer
  }
  return {
    name: 'kubelet',
    sample: async (sink, signal) => {
      await eachOf(options.places(), async (place) => {
        takeMetrics(sink, await ask(place, '/metrics/resource', signal))
      })
    },
    volumes: async (onVolume, signal) => {
      await eachOf(options.places(), async (place) => {
        takeVolumes(onVolume, await ask(place, '/stats/summary', signal))
      })
    },
  }
}

/** Tells how full volumes are, by the claim that they belong to. */
export type VolumeUse = (
  onVolume: (namespace: string, claim: string, usedKib: number) => void,
  signal: AbortSignal,
) => Promise<void>

/**
 * Connections to kubelets, as whoever we are to the API server, which they ask whether we may look. Their certificates are often signed
 * by nobody; unless they are verified one cannot know who answers, and the token goes there all the same.
 */
export function kubeletClients(
  access: Pick<ClusterAccess, 'credentials'>,
  isVerified: boolean,
): KubeletOptions['clientOf'] {
  const clients = new Map<string, HttpClient>()
  const credentials = async () => {
    const { headers, tls } = await access.credentials()
    return { headers, tls: { ...tls, rejectUnauthorized: isVerified } }
  }
  return ({ host, port }) => {
    const origin = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
    const known = clients.get(origin)
    if (known) return known
    // Nodes come and go; connections that are not used close by themselves.
    if (clients.size > clientsMax) clients.clear()
    const client = httpClient({ origin, credentials })
    clients.set(origin, client)
    return client
  }
}

/** Some at a time. A node that does not answer does not harm the others; if none does, the first reason is thrown. */
async function eachOf(places: Iterable<KubeletPlace>, work: (place: KubeletPlace) => Promise<void>): Promise<void> {
  const queue = [...places].values()
  let succeeded = 0
  let failure: Error | undefined
  const worker = async () => {
    for (const place of queue) {
      try {
        await work(place)
        succeeded += 1
      } catch (error) {
        failure ??= error instanceof Error ? error : new Error('for an unknown reason')
      }
    }
  }
  await Promise.all(Array.from({ length: togetherMax }, worker))
  if (succeeded === 0 && failure) throw failure
}

function takeMetrics(sink: UsageSink, answer: string): void {
  for (const line of answer.split('\n')) {
    const isCpu = line.startsWith('container_cpu_usage_seconds_total{')
    if (!isCpu && !line.startsWith('container_memory_working_set_bytes{')) continue
    const metric = parseMetricLine(line)
    if (!metric) continue
    const { namespace = '', pod = '', container = '' } = metric.labels
    const named = { namespace, pod, container }
    if (isCpu) sink.cpuCounter(named, metric.value, metric.at)
    else sink.memory(named, metric.value / 1024)
  }
}

type Summary = {
  pods?: { volume?: { usedBytes?: number; pvcRef?: { name?: string; namespace?: string } }[] }[]
}

function takeVolumes(onVolume: Parameters<VolumeUse>[0], answer: string): void {
  const { pods = [] } = JSON.parse(answer) as Summary
  for (const { volume = [] } of pods) {
    for (const { usedBytes, pvcRef } of volume) {
      if (usedBytes === undefined || !pvcRef?.name) continue
      onVolume(pvcRef.namespace ?? '', pvcRef.name, Math.ceil(usedBytes / 1024))
    }
  }
}
