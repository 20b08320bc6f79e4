import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { logMissingAccess } from '../src/observe/log-missing-access.ts'
import { sleepSeconds } from '../src/observe/sleep.ts'
import { awaitThat } from './await-that.ts'
import { cutList, fallSilent, FakeApi, refuse } from './fake-api.ts'
import { observe } from './observed.ts'

const pods = '/api/v1/pods'
const second = () => Math.floor(Date.now() / 1000)

let api: FakeApi
let origin: string
const closing: (() => Promise<void>)[] = []

beforeEach(async () => {
  api = new FakeApi()
  origin = await api.start()
  api.set('/api/v1/nodes', { metadata: { uid: 'node-uid', name: 'node-1' }, status: { capacity: { cpu: '4' } } })
  api.set(pods, aPod('a'))
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  api.stop()
})

const aPod = (name: string, more: object = {}) => ({
  metadata: { uid: `uid-${name}`, name, namespace: 'shop', creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { nodeName: 'node-1', containers: [{ name: 'app' }] },
  status: { phase: 'Running' },
  ...more,
})

function look(options: Parameters<typeof observe>[2] = {}) {
  const { observer, close } = observe(origin, () => 'token', options)
  closing.push(close)
  return observer
}

type Looking = ReturnType<typeof look>
const names = (observer: Looking) =>
  observer
    .living(second())
    .pods.map(({ name }) => name)
    .sort()
const statusOf = (observer: Looking, kind: string) => observer.conditions().find((each) => each.kind === kind)?.status

test('errors and partial lists at the start are retried, and objects of a partial list are dropped', async () => {
  api.mishap(`list ${pods}`, refuse(429, { 'retry-after': '0' }), refuse(500), cutList, refuse(503))
  const observer = look()
  await observer.synced
  expect(names(observer)).toEqual(['a'])
})

test('bookmarks alone keep a watch alive, and their version is stored', async () => {
  const observer = look({ silenceSecondsMax: 3 })
  await observer.synced
  await awaitThat('it watches', () => api.watchersOf(pods) === 1)
  for (let count = 0; count < 20; count += 1) {
    api.send(pods, { type: 'BOOKMARK', object: { metadata: { resourceVersion: String(100 + count) } } })
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const watches = api.requests.filter((each) => each === `watch ${pods}`).length
  expect(watches).toBe(1)
  expect(api.requests.filter((each) => each === `list ${pods}`)).toHaveLength(1)
})

test('a silent watch is closed, and another one starts', async () => {
  api.mishap(`watch ${pods}`, fallSilent)
  const observer = look({ silenceSecondsMax: 0.5 })
  await observer.synced
  await awaitThat('the watch starts again', () => api.watchersOf(pods) === 1)
  api.set(pods, aPod('b'))
  await awaitThat('it hears again', () => names(observer).includes('b'))
})

test('410 during a watch: deleted objects end, new objects appear, and unchanged objects are not sent again', async () => {
  api.set(pods, aPod('stays'))
  const observer = look()
  await observer.synced
  await awaitThat('it watches', () => api.watchersOf(pods) === 1)
  const gone = observer.living(second()).pods.find(({ name }) => name === 'a')?.ref
  api.delete(pods, 'uid-a', { isAnnounced: false })
  api.send(pods, { type: 'ERROR', object: { kind: 'Status', code: 410, message: 'too old resource version' } })
  api.endWatches(pods)
  await awaitThat('the list is read again', () => !names(observer).includes('a'))
  const facts = observer.takeMinute(1)
  expect(facts.ends.map(({ ref }) => ref)).toEqual([gone])
  expect(facts.pods).toEqual([])
})

test('absent and forbidden kinds are reported; the others continue; later they are read', async () => {
  api.answerWith('/apis/argoproj.io/v1alpha1/rollouts', 404)
  api.answerWith('/apis/policy/v1/poddisruptionbudgets', 403)
  api.answerWith('/apis/apps/v1/daemonsets', 404)
  const observer = look()
  await observer.synced
  expect(statusOf(observer, 'rollouts')).toBeUndefined()
  expect(statusOf(observer, 'poddisruptionbudgets')).toBe('forbidden')
  expect(statusOf(observer, 'daemonsets')).toBe('absent')
  expect(observer.facts().watches).not.toContain('budget')
  expect(observer.facts().watches).toContain('workload')
  api.answerWith('/apis/policy/v1/poddisruptionbudgets', 200)
  await awaitThat('it may be read', () => statusOf(observer, 'poddisruptionbudgets') === undefined)
  expect(observer.facts().watches).toContain('budget')
})

test('a chart without the permission for the autoscaler status loses recommendations, not readiness', async () => {
  const path = '/api/v1/namespaces/kube-system/configmaps'
  api.answerWith(path, 403)
  const observer = look()
  await observer.synced
  const conditions = () => observer.conditions().filter(({ kind }) => kind !== 'usage')
  expect(conditions()).toMatchObject([{ kind: 'configmaps', status: 'absent', reason: 'OptionalRightMissing' }])
  expect(conditions()[0]?.message).toContain('Node pool recommendations')
  expect(observer.facts().watches).not.toContain('cluster_autoscaler')
  api.answerWith(path, 200)
  await awaitThat('the right is granted', () => conditions().length === 0)
  expect(observer.facts().watches).toContain('cluster_autoscaler')
})

test('without nodes and pods nothing is sent until both are readable', async () => {
  api.answerWith(pods, 403)
  const observer = look()
  let isSynced = false
  void observer.synced.then(() => (isSynced = true))
  const logged: Record<string, string>[] = []
  const sleep = (_seconds: number, signal: AbortSignal) => sleepSeconds(0.05, signal)
  const saying = logMissingAccess(
    observer,
    { log: (missing) => logged.push(missing), sleep, everySeconds: 1 },
    new AbortController().signal,
  )
  await awaitThat('it is refused', () => statusOf(observer, 'pods') === 'forbidden')
  expect(isSynced).toBe(false)
  expect(observer.freshness().find(({ kind }) => kind === 'pods')).toMatchObject({ synced: false })
  await awaitThat(
    'the log names what is missing',
    () => logged.at(-1)?.pods?.includes('is not allowed to list') ?? false,
  )
  api.answerWith(pods, 200)
  await observer.synced
  await saying
})

test.each([
  ['/apis/policy/v1/poddisruptionbudgets', 'poddisruptionbudgets', 'budget'],
  ['/api/v1/services', 'services', undefined],
])('%s that always fail do not block the start, and their missing objects may exist', async (path, kind, watch) => {
  api.answerWith(path, 500)
  const observer = look()
  await observer.synced
  expect(statusOf(observer, kind)).toBe('failing')
  if (watch !== undefined) expect(observer.facts().watches).not.toContain(watch)
  api.answerWith(path, 200)
  await awaitThat('it is listed', () => statusOf(observer, kind) === undefined)
  if (watch !== undefined) expect(observer.facts().watches).toContain(watch)
})

test('the endpoints of a load balancer that appears during the start are read', async () => {
  const [services, slices] = ['/api/v1/services', '/apis/discovery.k8s.io/v1/endpointslices']
  const metadata = { uid: 'slice', name: 'web-1', namespace: 'shop', labels: { 'kubernetes.io/service-name': 'web' } }
  const targetRef = { kind: 'Pod', uid: 'uid-a', name: 'a', namespace: 'shop' }
  api.set(slices, { metadata, endpoints: [{ conditions: { ready: true }, targetRef }] })
  api.answerWith(pods, 500)
  const observer = look()
  await awaitThat('both are watched', () => api.watchersOf(slices) === 1 && api.watchersOf(services) === 1)
  api.set(services, {
    metadata: { uid: 'web', name: 'web', namespace: 'shop' },
    spec: { type: 'LoadBalancer' },
    status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } },
  })
  const refs = () => observer.living(second()).balancers[0]?.readyPodRefs ?? []
  await awaitThat('its endpoints are known', () => refs().length === 1, 20)
})

test('usage of metrics-server is sent by node and minute; without it the nodes are sent without usage, with the reason', async () => {
  const path = '/apis/metrics.k8s.io/v1beta1/pods'
  api.answerWith(path, 404)
  const observer = look({ usage: { sampleSeconds: 0 } })
  await observer.synced
  const why = () => observer.conditions().find(({ kind }) => kind === 'usage')?.detail ?? ''
  await awaitThat('it has looked for a source', () => why().includes('404'))
  expect(statusOf(observer, 'usage')).toBe('absent')
  expect(observer.facts().usage_source).toBe('none')
  const nodeRef = observer.living(second()).nodes[0]?.ref
  expect(observer.takeMinute(1).usage).toEqual([{ nodeRef, samples: [] }])
  api.answerWith(path, 200)
  api.set(path, {
    metadata: { uid: 'x', name: 'a', namespace: 'shop' },
    timestamp: new Date().toISOString(),
    window: '15s',
    containers: [{ name: 'app', usage: { cpu: '100m', memory: '2Mi' } }],
  })
  await awaitThat('it has a source', () => observer.facts().usage_source === 'metrics-server')
  await awaitThat('it has a sample', () => (observer.takeMinute(2).usage[0]?.samples[0]?.cpuMeanTenths ?? 0) === 1000)
})

test('throttling is sent with the events of the minute', async () => {
  const metric = { namespace: 'shop', pod: 'a', container: 'app' }
  const prometheus = createServer((request, response) => {
    const count = request.url?.includes('throttled') ? '1500' : '6000'
    const data = { resultType: 'vector', result: [{ metric, value: [second(), count] }] }
    response.end(JSON.stringify({ status: 'success', data }))
  })
  await new Promise<void>((resolve) => prometheus.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    prometheus.closeAllConnections()
    prometheus.close()
  })
  const url = `http://127.0.0.1:${(prometheus.address() as AddressInfo).port}`
  const observer = look({
    usage: { wanted: 'prometheus', sampleSeconds: 0, prometheus: { url } },
    sleep: (_seconds, signal) => sleepSeconds(0.01, signal),
  })
  await observer.synced
  const podRef = observer.living(second()).pods[0]?.ref
  const events: unknown[] = []
  await awaitThat('the event is reported', () => events.push(...observer.takeMinute(2).events) > 0)
  const throttling = { periods: 6000, throttledPeriods: 1500 }
  expect(events[0]).toMatchObject({ podRef, container: 0, oomKills: 0, restarts: 0, throttling })
})

test('a pod is sent when its workload is known, with the time of its first observation', async () => {
  const observer = look()
  await observer.synced
  observer.takeMinute(0)
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web-1', uid: 'rs', controller: true }
  await awaitThat('it watches', () => api.watchersOf(pods) === 1 && api.watchersOf('/apis/apps/v1/replicasets') === 1)
  const seenAt = second()
  api.set(pods, { ...aPod('web-1-x'), metadata: { ...aPod('web-1-x').metadata, ownerReferences: [owner] } })
  // It follows on the same watch, so the first event has been processed too.
  api.set(pods, aPod('later'))
  await awaitThat('a later one is seen', () => names(observer).includes('later'))
  expect(observer.takeMinute(1).pods.map(({ name }) => name)).toEqual(['later'])
  api.set('/apis/apps/v1/deployments', { metadata: { uid: 'd', name: 'web', namespace: 'shop' }, spec: {} })
  const byDeployment = { ...owner, kind: 'Deployment', name: 'web', uid: 'd' }
  api.set('/apis/apps/v1/replicasets', { metadata: { uid: 'rs', name: 'web-1', ownerReferences: [byDeployment] } })
  await awaitThat('its owner is known', () => names(observer).includes('web-1-x'))
  const [pod] = observer.takeMinute(2).pods
  expect(pod).toMatchObject({ name: 'web-1-x', workloadKind: 'Deployment', workloadName: 'web' })
  expect(Math.abs((pod?.from ?? 0) - seenAt)).toBeLessThanOrEqual(10)
})
