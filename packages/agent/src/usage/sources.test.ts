import { createServer, type RequestListener } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { httpClient } from '../kubernetes/http-client.ts'
import { chooseSource } from './choose-source.ts'
import { kubelet } from './kubelet.ts'
import { parseMetricLine } from './metric-line.ts'
import { metricsServer, parseSeconds } from './metrics-server.ts'
import { prometheusClient } from './prometheus-client.ts'
import { prometheusUsage } from './prometheus.ts'
import type { UsageSink } from './usage-source.ts'

const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => close()))

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

const clientOf = (origin: string) => httpClient({ origin, credentials: async () => ({ headers: {}, tls: {} }) })

function recorder(): { sink: UsageSink; seen: unknown[][] } {
  const seen: unknown[][] = []
  const note = (...what: unknown[]) => void seen.push(what)
  return { sink: { cpuCounter: note, cpuRate: note, memory: note }, seen }
}

const { signal } = new AbortController()
const app = { namespace: 'shop', pod: 'web-1', container: 'app' }

test('metrics-server: cores and KiB of every container, with the measurement time', async () => {
  const item = {
    metadata: { name: 'web-1', namespace: 'shop' },
    timestamp: '2026-11-15T10:00:00Z',
    window: '15.5s',
    containers: [{ name: 'app', usage: { cpu: '250000000n', memory: '1Mi' } }],
  }
  const origin = await serve((_request, response) => response.end(JSON.stringify({ metadata: {}, items: [item] })))
  const { sink, seen } = recorder()
  await metricsServer(clientOf(origin)).sample(sink, signal)
  expect(seen).toEqual([
    [app, 0.25, 15.5, Date.parse('2026-11-15T10:00:00Z')],
    [app, 1024],
  ])
})

test('Prometheus: rates and working sets by container', async () => {
  const result = (value: string) => [{ metric: app, value: [1_790_000_000, value] }]
  const origin = await serve((request, response) => {
    const isCpu = request.url?.includes('cpu') ?? false
    const data = { resultType: 'vector', result: result(isCpu ? '0.5' : '2048') }
    response.end(JSON.stringify({ status: 'success', data }))
  })
  const { sink, seen } = recorder()
  await prometheusUsage(prometheusClient({ url: `${origin}/prometheus/` }), () => 15).sample(sink, signal)
  expect(seen).toEqual([
    [app, 0.5, 15, 1_790_000_000_000],
    [app, 2],
  ])
})

test('kubelets: counters and working sets of every reachable node, and the used space of volumes', async () => {
  const metrics = [
    '# TYPE container_cpu_usage_seconds_total counter',
    'container_cpu_usage_seconds_total{container="app",namespace="shop",pod="web-1"} 12.5 1790000000000',
    'container_memory_working_set_bytes{container="app",namespace="shop",pod="web-1"} 2.097152e+06 1790000000000',
    'node_cpu_usage_seconds_total 3 1790000000000',
  ]
  const volume = [{ name: 'data', usedBytes: 1_048_577, pvcRef: { name: 'disk', namespace: 'shop' } }, { name: 'tmp' }]
  const origin = await serve((request, response) => {
    const isSummary = request.url === '/stats/summary'
    response.end(isSummary ? JSON.stringify({ pods: [{ volume }, {}] }) : metrics.join('\n'))
  })
  const gone = await serve((_request, response) => response.writeHead(503).end())
  const places = (...hosts: string[]) => ({
    places: () => hosts.map((host) => ({ host, port: 10_250 })),
    clientOf: ({ host }: { host: string }) => clientOf(host),
    now: Date.now,
  })
  const { sink, seen } = recorder()
  const source = kubelet(places(gone, origin))
  await source.sample(sink, signal)
  expect(seen).toEqual([
    [app, 12.5, 1_790_000_000_000],
    [app, 2048],
  ])
  const volumes: unknown[] = []
  await source.volumes((...what) => void volumes.push(what), signal)
  expect(volumes).toEqual([['shop', 'disk', 1025]])
  await expect(kubelet(places(gone)).sample(sink, signal)).rejects.toThrow('503')
})

const now = { turn: 0, turns: 1 }

function throttlingRecorder() {
  const seen: unknown[][] = []
  const note = (...what: unknown[]) => void seen.push(what)
  return { sink: { counter: note, increase: note }, seen }
}

test('kubelets: throttling of containers with a CPU limit, of every reachable node', async () => {
  const labels = 'container="app",id="/kubepods/a",image="web:1",name="c0",namespace="shop",pod="web-1"'
  const other = labels.replaceAll('web-1', 'web-2')
  const metrics = [
    '# TYPE container_cpu_cfs_periods_total counter',
    `container_cpu_cfs_periods_total{${labels}} 6000 1790000000000`,
    `container_cpu_cfs_periods_total{${other}} 1 1790000000000`,
    `container_cpu_cfs_throttled_periods_total{${labels}} 1.5e+03 1790000000000`,
    `container_cpu_cfs_throttled_seconds_total{${labels}} 12 1790000000000`,
    `container_fs_reads_total{${labels}} 9 1790000000000`,
  ]
  const requests: (string | undefined)[] = []
  const origin = await serve((request, response) => {
    requests.push(request.url)
    response.end(metrics.join('\n'))
  })
  const forbidden = await serve((_request, response) => response.writeHead(403).end())
  const source = kubelet({
    places: () => [forbidden, origin].map((host) => ({ host, port: 10_250 })),
    clientOf: ({ host }) => clientOf(host),
    now: Date.now,
  })
  const { sink, seen } = throttlingRecorder()
  await source.throttling?.(sink, now, signal)
  expect(requests).toEqual(['/metrics/cadvisor'])
  expect(seen).toEqual([[app, { periods: 6000, throttledPeriods: 1500 }]])
  // Unreadable throttling is not reported as a condition.
  expect(source.condition?.()).toBeUndefined()
})

test('kubelets: each node is in one of the turns', async () => {
  const requests: string[] = []
  const origin = await serve((_request, response) => response.end())
  const source = kubelet({
    places: () => ['a', 'b', 'c', 'd', 'e'].map((host) => ({ host, port: 10_250 })),
    clientOf: ({ host }) => (requests.push(host), clientOf(origin)),
    now: Date.now,
  })
  const turn = async (number: number) => {
    requests.length = 0
    await source.throttling?.(throttlingRecorder().sink, { turn: number, turns: 3 }, signal)
    return [...requests]
  }
  expect([await turn(0), await turn(1), await turn(2)]).toEqual([['a', 'd'], ['b', 'e'], ['c']])
})

test('Prometheus: throttling since the last query, with one query for all turns', async () => {
  const requests: string[] = []
  const origin = await serve((request, response) => {
    const query = new URL(request.url ?? '', 'http://prometheus').searchParams.get('query') ?? ''
    requests.push(query)
    const value = query.includes('throttled') ? '1499.7' : '6000.2'
    const data = { resultType: 'vector', result: [{ metric: app, value: [1_790_000_000, value] }] }
    response.end(JSON.stringify({ status: 'success', data }))
  })
  const source = prometheusUsage(prometheusClient({ url: origin }), () => 15)
  const { sink, seen } = throttlingRecorder()
  for (const turn of [0, 1, 2]) await source.throttling?.(sink, { turn, turns: 3 }, signal)
  expect(requests.map((query) => query.includes('[600s]'))).toEqual([true, true])
  expect(seen).toEqual([[app, { periods: 6000, throttledPeriods: 1500 }]])
})

test('a successful volume round ends the condition of unreadable kubelets', async () => {
  let status = 503
  const origin = await serve((_request, response) => response.writeHead(status).end('{}'))
  const source = kubelet({
    places: () => [{ host: 'node', port: 10_250 }],
    clientOf: () => clientOf(origin),
    now: Date.now,
  })
  await expect(source.sample(recorder().sink, signal)).rejects.toThrow('503')
  expect(source.condition?.()).toMatchObject({
    reason: 'NotAnswering',
    message: 'The agent cannot read 1 of 1 kubelets.',
  })
  status = 200
  await source.volumes(() => undefined, signal)
  expect(source.condition?.()).toBeUndefined()
})

test('kubelets: a node with a metrics path annotation is read there, and samples without a time get the current time', async () => {
  const origin = await serve((request, response) => {
    const line = 'container_cpu_usage_seconds_total{container="app",namespace="shop",pod="web-1"} 12.5\n'
    const isExpected = request.url === '/nodes/a/metrics' && request.headers.accept?.includes('*/*') === true
    response.end(isExpected ? line : '')
  })
  const { sink, seen } = recorder()
  const place = { host: 'node', port: 10_250, metricsPath: '/nodes/a/metrics' }
  await kubelet({ places: () => [place], clientOf: () => clientOf(origin), now: () => 5000 }).sample(sink, signal)
  expect(seen).toEqual([[app, 12.5, 5000]])
})

test('a line of the text format', () => {
  const line = 'container_cpu_usage_seconds_total{container="a\\"b",namespace="shop",pod="web"} 4.71e+02 1633253812125'
  expect(parseMetricLine(line)).toEqual({
    labels: { container: 'a"b', namespace: 'shop', pod: 'web' },
    value: 471,
    at: 1_633_253_812_125,
  })
  for (const none of ['', '# HELP x', 'x{a="b"} NaN 1', 'x 1 2']) expect(parseMetricLine(none)).toBeUndefined()
})

test.each([
  ['30s', 30],
  ['1m0.5s', 60.5],
  ['1h', 3600],
  [undefined, 30],
])('a window of %s', (text, seconds) => expect(parseSeconds(text)).toBe(seconds))

test('a source that never responds does not prevent trying the next one', async () => {
  const silent = await serve(() => undefined)
  const working = { name: 'kubelet' as const, sample: async (sink: UsageSink) => sink.memory(app, 1) }
  const sources = [metricsServer(clientOf(silent)), working]
  expect(await chooseSource({ wanted: 'auto', sources, patienceSeconds: 0.1 }, signal)).toBe(working)
})

test('selects the best source that responds, or reports why there is none', async () => {
  const source = (name: 'kubelet' | 'metrics-server', sees: number) => ({
    name,
    sample: async (sink: UsageSink) => {
      if (sees < 0) throw new Error('no way')
      for (let time = 0; time < sees; time += 1) sink.memory(app, 1)
    },
  })
  const choose = (wanted: 'auto' | 'kubelet' | 'none', ...sees: [number, number]) =>
    chooseSource({ wanted, sources: [source('kubelet', sees[0]), source('metrics-server', sees[1])] }, signal)
  expect(await choose('auto', 1, 1)).toMatchObject({ name: 'kubelet' })
  expect(await choose('auto', -1, 1)).toMatchObject({ name: 'metrics-server' })
  expect(await choose('auto', -1, 0)).toEqual({ why: 'kubelet: no way; metrics-server returns no container usage' })
  expect(await choose('kubelet', -1, 1)).toEqual({ why: 'kubelet: no way' })
  expect(await choose('none', 1, 1)).toEqual({ why: 'usage is turned off' })
})
