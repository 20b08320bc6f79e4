import type { Throttling } from '@plimsoll/contract'
import type { KubeletPlace } from '../kinds/nodes.ts'
import { refusal, type ApiClient } from '../watch/api-client.ts'
import { lines, text } from '../watch/lines.ts'
import { isNoneRead, KubeletTally, type Round } from './kubelet-tally.ts'
import { parseMetricLine } from './metric-line.ts'
import type { ThrottlingSink } from './throttling-counts.ts'
import type { ContainerName } from './container-name.ts'
import type { UsageSink, UsageSource } from './usage-source.ts'

export type KubeletOptions = {
  places: () => Iterable<KubeletPlace>
  /** The client of one kubelet. */
  clientOf: (place: KubeletPlace) => ApiClient
  /** Milliseconds since 1970: the default time for samples without a time. */
  now: () => number
}

const togetherMax = 20
const nodeSecondsMax = 10
/** Some servers require a wildcard in the Accept header. */
const accepted = 'text/plain,application/json,*/*;q=0.1'

/** Reads the usage counters of every node: the means are exact, and no peak is missed. */
export function kubelet(options: KubeletOptions): UsageSource & { volumes: VolumeUse } {
  const tally = new KubeletTally()
  const ask = async (place: KubeletPlace, path: string, signal: AbortSignal) => {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(nodeSecondsMax * 1000)])
    const answer = await options.clientOf(place).get(path, {}, patience, accepted)
    if (answer.status !== 200) throw await refusal(answer, 'a kubelet')
    return answer.body
  }
  return {
    name: 'kubelet',
    sample: async (sink, signal) => {
      const round = await eachOf(options.places(), async (place) => {
        const answer = await text(await ask(place, place.metricsPath ?? '/metrics/resource', signal))
        takeMetrics(sink, answer, options.now())
      })
      tally.addSample(round)
      throwIfNone(round)
    },
    throttling: async (sink, { turn, turns }, signal) => {
      const places = [...options.places()].filter((_place, index) => index % turns === turn)
      await eachOf(places, async (place) => takeThrottling(sink, await ask(place, '/metrics/cadvisor', signal)))
    },
    volumes: async (onVolume, signal) => {
      const round = await eachOf(options.places(), async (place) => {
        takeVolumes(onVolume, await text(await ask(place, '/stats/summary', signal)))
      })
      tally.addVolumes(round)
      throwIfNone(round)
    },
    condition: () => tally.condition(),
  }
}

/** Reports the used space of volumes by claim. */
export type VolumeUse = (
  onVolume: (namespace: string, claim: string, usedKib: number) => void,
  signal: AbortSignal,
) => Promise<void>

/** Runs with limited concurrency. A failing node does not affect the others. */
async function eachOf(places: Iterable<KubeletPlace>, work: (place: KubeletPlace) => Promise<void>): Promise<Round> {
  const queue = [...places].values()
  const round: Round[number][] = []
  const worker = async () => {
    for (const place of queue) {
      try {
        await work(place)
        round.push({ place })
      } catch (error) {
        round.push({ place, error: error instanceof Error ? error : new Error('unknown reason') })
      }
    }
  }
  await Promise.all(Array.from({ length: togetherMax }, worker))
  return round
}

function throwIfNone(round: Round): void {
  const [first] = round
  if (first?.error && isNoneRead(round)) throw first.error
}

function takeMetrics(sink: UsageSink, answer: string, readAt: number): void {
  for (const line of answer.split('\n')) {
    const isCpu = line.startsWith('container_cpu_usage_seconds_total{')
    if (!isCpu && !line.startsWith('container_memory_working_set_bytes{')) continue
    const metric = parseMetricLine(line)
    if (!metric) continue
    const { namespace = '', pod = '', container = '' } = metric.labels
    const named = { namespace, pod, container }
    if (isCpu) sink.cpuCounter(named, metric.value, metric.at ?? readAt)
    else sink.memory(named, metric.value / 1024)
  }
}

const periodsName = 'container_cpu_cfs_periods_total{'
const throttledName = 'container_cpu_cfs_throttled_periods_total{'

/**
 * A node returns thousands of lines, and only two per container with a CPU limit are needed, so the response is
 * streamed.
 */
async function takeThrottling(sink: ThrottlingSink, body: AsyncIterable<Uint8Array>): Promise<void> {
  const counted = new Map<string, ContainerName & Partial<Throttling>>()
  for await (const line of lines(body)) {
    const isPeriods = line.startsWith(periodsName)
    if (!isPeriods && !line.startsWith(throttledName)) continue
    const metric = parseMetricLine(line)
    if (!metric) continue
    const { namespace = '', pod = '', container = '' } = metric.labels
    const key = `${namespace}/${pod}/${container}`
    const value = Math.round(metric.value)
    const before = counted.get(key) ?? { namespace, pod, container }
    counted.set(key, { ...before, ...(isPeriods ? { periods: value } : { throttledPeriods: value }) })
  }
  for (const { periods, throttledPeriods, ...name } of counted.values()) {
    if (periods !== undefined && throttledPeriods !== undefined) sink.counter(name, { periods, throttledPeriods })
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
