import { usageBucketOf, type ObjectVersion, type PodVersion } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { podNames } from './pod-names.ts'
import type { Prometheus, Series } from './prometheus-client.ts'
import { prometheusHistory } from './prometheus-history.ts'

const controller = (kind: string, name: string) =>
  ({ namespace: 'shop', name, kind: 'workload', spec: { workload_kind: kind } }) as ObjectVersion
const living = {
  pods: [{ namespace: 'shop', name: 'odd', workloadKind: 'StrimziPodSet', workloadName: 'kafka' } as PodVersion],
  objects: [
    controller('Deployment', 'web'),
    controller('StatefulSet', 'db'),
    controller('CronJob', 'nightly'),
    controller('DaemonSet', 'logs'),
  ],
}

test.each([
  ['web-5d4f8c7b9-x7k2p', { kind: 'Deployment', name: 'web' }],
  ['db-0', { kind: 'StatefulSet', name: 'db' }],
  ['nightly-29000000-x7k2p', { kind: 'CronJob', name: 'nightly' }],
  ['logs-x7k2p', { kind: 'DaemonSet', name: 'logs' }],
  ['odd', { kind: 'StrimziPodSet', name: 'kafka' }],
  ['gone-5d4f8c7b9-x7k2p', undefined],
  ['web', undefined],
])('a pod of the past named %s', (pod, expected) => {
  expect(podNames(living)('shop', pod)).toEqual(expected)
})

const hour = 490_000

/** Two pods of web for the whole time: CPU 0.1 and 0.3 cores, memory 100 and 200 MiB, with one peak of 400. */
function fakePrometheus(requests: string[]): Prometheus {
  const mib = 1024 ** 2
  const series = (pod: string, value: number, from: number): Series => ({
    labels: { namespace: 'shop', pod, container: 'app' },
    values: Array.from({ length: 12 }, (_, step): [number, number] => [from + step * 300, value]),
  })
  return {
    query: async () => undefined,
    range: async (query, { from }, _signal, onSeries) => {
      requests.push(query)
      if (from >= (hour + 1) * 3600) return
      if (query.includes('kube_pod')) return sendEvents(query, from, onSeries)
      const isCpu = query.includes('cpu')
      const peak = query.includes('max_over_time') ? 2 : 1
      onSeries(series('web-5d4f8c7b9-aaaaa', isCpu ? 0.1 : 100 * mib, from))
      onSeries(series('web-5d4f8c7b9-bbbbb', isCpu ? 0.3 : peak * 200 * mib, from))
      onSeries(series('gone-5d4f8c7b9-bbbbb', 1, from))
    },
  }
}

/** One container restarted twice before the hour, twice in its first step, and once later after an OOM kill. */
function sendEvents(query: string, from: number, onSeries: (series: Series) => void): void {
  // Labels of a scrape job that does not honour the labels of kube-state-metrics.
  const labels = {
    ...{ namespace: 'monitoring', pod: 'kube-state-metrics-0', container: 'kube-state-metrics' },
    ...{ exported_namespace: 'shop', exported_pod: 'web-5d4f8c7b9-aaaaa', exported_container: 'app' },
  }
  const counts = [2, 4, 4, 5, 5]
  const values = counts.map((count, step): [number, number] => [from + step * 300, count])
  if (query.includes('restarts_total')) onSeries({ labels, values })
  else onSeries({ labels, values: values.slice(3).map(([time]) => [time, 1]) })
}

test('hours of containers over all pods, in order of time, with pauses for other clients', async () => {
  const requests: string[] = []
  const slept: number[] = []
  let now = 0
  const source = prometheusHistory({
    prometheus: fakePrometheus(requests),
    living: () => living,
    sleep: async (seconds) => void slept.push(seconds),
    now: () => (now += 500),
    signal: new AbortController().signal,
  })
  const parts = []
  for await (const part of source.read({ from: hour, to: hour + 26 })) parts.push(part)
  expect(parts.map(({ through, hours }) => [through, hours.length])).toEqual([
    [hour + 24, 1],
    [hour + 26, 0],
  ])
  expect(requests).toHaveLength(26 * 5)
  expect(requests[1]).toContain(
    'avg_over_time(container_memory_working_set_bytes{container!="",container!="POD",pod!=""}[5m])',
  )
  expect(slept).toEqual(Array.from({ length: 26 }, () => 0.5))
  const [mib100, mib200] = [102_400, 204_800]
  expect(parts[0]?.hours[0]?.nodeHours()).toEqual([])
  expect(parts[0]?.hours[0]?.usageHours()).toEqual([
    {
      ...{ namespace: 'shop', workloadKind: 'Deployment', workloadName: 'web', container: 'app', hour },
      // The hour has three restarts, the last after an OOM kill; the two earlier restarts are ignored.
      ...{ podSeconds: 7200, oomKills: 1, restarts: 3 },
      cpu: {
        mean: 2000,
        max: 3000,
        hottest: 3000,
        buckets: [usageBucketOf(1000), usageBucketOf(3000)],
        podMinutes: [60, 60],
      },
      memory: {
        ...{ mean: (mib100 + mib200) / 2, max: 2 * mib200, hottest: mib200 },
        ...{ buckets: [usageBucketOf(mib100), usageBucketOf(mib200)], podMinutes: [60, 60] },
      },
    },
  ])
})

test('a Prometheus that never responds is no longer tried', async () => {
  const prometheus: Prometheus = {
    query: async () => undefined,
    range: (_query, _range, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('given up')))),
  }
  const { signal } = new AbortController()
  const options = { prometheus, living: () => living, sleep: async () => undefined, now: () => 0, signal }
  const parts = prometheusHistory({ ...options, patienceSeconds: 0.05 }).read({ from: hour, to: hour + 1 })
  await expect(parts[Symbol.asyncIterator]().next()).rejects.toThrow('given up')
})

test('a part ends early if there are many containers', async () => {
  const labels = (index: number) => ({ namespace: 'shop', pod: `db-${index}`, container: `c${index}` })
  const prometheus: Prometheus = {
    query: async () => undefined,
    range: async (query, { from }, _signal, onSeries) => {
      if (query.includes('kube_pod')) return
      for (let index = 0; index < 20; index += 1) onSeries({ labels: labels(index), values: [[from, 1]] })
    },
  }
  const { signal } = new AbortController()
  const options = {
    prometheus,
    living: () => living,
    sleep: async () => undefined,
    now: () => 0,
    signal,
    rowsPerPart: 30,
  }
  const parts = []
  for await (const { through } of prometheusHistory(options).read({ from: hour, to: hour + 3 })) parts.push(through)
  expect(parts).toEqual([hour + 2, hour + 3])
})

test('runs of a CronJob start in the hour in which their pods first appear, with their start-up usage', async () => {
  const pods = ['nightly-29000000-aaaaa', 'nightly-29000060-bbbbb', 'nightly-29000060-bbbbb']
  const prometheus: Prometheus = {
    query: async () => undefined,
    range: async (query, { from }, _signal, onSeries) => {
      if (query.includes('kube_pod')) return
      const pod = pods[Math.floor(from / 3600) - hour] ?? ''
      const values = [0.5, 0.1].map((cores, step): [number, number] => [from + step * 300, cores])
      onSeries({ labels: { namespace: 'shop', pod, container: 'job' }, values })
      // The first memory value of the next run, which starts with the next hour.
      const next = pods[Math.floor(from / 3600) - hour + 1]
      const first: [number, number][] = [[from + 11 * 300, 1]]
      if (next && query.includes('memory'))
        onSeries({ labels: { namespace: 'shop', pod: next, container: 'job' }, values: first })
    },
  }
  const { signal } = new AbortController()
  const options = { prometheus, living: () => living, sleep: async () => undefined, now: () => 0, signal }
  const rows = []
  for await (const { hours } of prometheusHistory(options).read({ from: hour, to: hour + 3 }))
    rows.push(...hours.flatMap((each) => each.usageHours()))
  // The hour before the first is unknown; the run of the second hour continues in the third.
  expect(rows.map(({ startUp }) => startUp)).toEqual([
    undefined,
    { minutes: 5, cpuMean: 5000, cpuMax: 5000, memoryMax: 0 },
    undefined,
  ])
  expect(rows.map(({ podSeconds, cpu }) => [podSeconds, cpu.podMinutes])).toEqual([
    [600, [5, 5]],
    [600, [5]],
    [600, [5, 5]],
  ])
})
