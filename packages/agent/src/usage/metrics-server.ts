import { kibibytes, parseQuantity } from '@plimsoll/engine'
import { refusal, type ApiClient } from '../watch/api-client.ts'
import { readList } from '../watch/read-list.ts'
import type { UsageSink, UsageSource } from './usage-source.ts'

type PodMetrics = {
  metadata?: { name?: string; namespace?: string }
  timestamp?: string
  window?: string
  containers?: { name?: string; usage?: { cpu?: string; memory?: string } }[]
}

const path = '/apis/metrics.k8s.io/v1beta1/pods'

/** The whole cluster in one response: means over some seconds, sampled often enough to miss few peaks. */
export function metricsServer(client: ApiClient): UsageSource {
  return {
    name: 'metrics-server',
    sample: async (sink, signal) => {
      const answer = await client.get(path, {}, signal)
      if (answer.status !== 200) throw await refusal(answer)
      await readList(answer.body, (entry) => takePod(sink, entry as PodMetrics))
    },
  }
}

function takePod(sink: UsageSink, { metadata = {}, timestamp = '', window, containers = [] }: PodMetrics): void {
  const { name: pod = '', namespace = '' } = metadata
  const measuredAt = Date.parse(timestamp)
  const windowSeconds = parseSeconds(window)
  if (Number.isNaN(measuredAt)) return
  for (const { name: container = '', usage = {} } of containers) {
    const named = { namespace, pod, container }
    const nanocores = parseQuantity(usage.cpu, nanos)
    const kib = parseQuantity(usage.memory, kibibytes)
    if (nanocores === undefined || kib === undefined) continue
    sink.cpuRate(named, nanocores / 1e9, windowSeconds, measuredAt)
    sink.memory(named, kib)
  }
}

const nanos = { numerator: 1_000_000_000, denominator: 1 }

/** Durations as Go writes them, such as 15s or 1m0.5s. */
export function parseSeconds(duration: string | undefined): number {
  const match = /^(?:(\d+)h)?(?:(\d+)m)?(?:([\d.]+)s)?$/.exec(duration ?? '')
  const [hours = 0, minutes = 0, seconds = 0] = (match ?? []).slice(1).map((each) => Number(each ?? 0))
  const all = hours * 3600 + minutes * 60 + seconds
  return all > 0 ? all : 30
}
