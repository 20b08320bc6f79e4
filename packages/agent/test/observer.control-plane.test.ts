import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAssets, startControlPlane, type ControlPlane } from '../../../test/control-plane.ts'
import type { Observer } from '../src/observer.ts'
import { aDeployment, aNode, aPod, aReplicaSet, assetManifests, create, statusOf } from './a-cluster.ts'
import { awaitThat } from './await-that.ts'
import { observe } from './observed.ts'

const assets = findAssets()
let plane: ControlPlane

describe.skipIf(assets === undefined)('against a real API server', () => {
  beforeAll(async () => {
    plane = await startControlPlane(assets ?? '', { tokens: ['may-some', 'may-nothing'] })
    for (const namespace of ['shop', 'churn']) {
      await plane.call('POST', '/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace, labels: { stage: 'production' } },
      })
    }
  }, 180_000)
  afterAll(() => plane.stop())

  test('reads exactly the existing objects, with their owners', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, index) => create(plane, aNode(`node-${index}`))))
    const deployment = await create(plane, aDeployment('shop', 'web'))
    const replicaSet = await create(plane, aReplicaSet('shop', 'web-5d4f8c7b9', deployment))
    await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        create(plane, aPod('shop', `web-5d4f8c7b9-${index}`, { node: `node-${index % 50}`, owner: replicaSet })),
      ),
    )
    const { observer, close } = observe(plane.origin, () => 'for-tests')
    await observer.synced
    const living = observer.living(Math.floor(Date.now() / 1000))
    expect(living.nodes.map(({ name }) => name).sort()).toEqual(
      Array.from({ length: 50 }, (_, index) => `node-${index}`).sort(),
    )
    expect(living.nodes[0]).toMatchObject({
      instanceType: 'm5.xlarge',
      region: 'eu-central-1',
      pool: 'general',
      cpuCapacityMillicores: 4000,
      memoryAllocatableKib: 15 * 1024 ** 2,
    })
    expect(living.pods).toHaveLength(300)
    const nodeOf = new Map(living.nodes.map(({ ref, name }) => [ref, name]))
    for (const pod of living.pods) {
      const index = Number(pod.name.split('-').at(-1))
      expect(pod).toMatchObject({ namespace: 'shop', workloadKind: 'Deployment', workloadName: 'web' })
      expect(nodeOf.get(pod.nodeRef)).toBe(`node-${index % 50}`)
    }
    expect(living.pods[0]?.shape).toMatchObject({
      containers: [{ name: 'app', kind: 'app', cpu_request: 250, memory_request: 65_536 }],
      template: { api_version: 'apps/v1', containers: [{ name: 'app', requests: ['cpu', 'memory'] }] },
    })
    expect(new Set(living.pods.map(({ shape }) => shape)).size).toBe(1)
    expect(living.namespaces.find(({ name }) => name === 'shop')?.labels).toMatchObject({ stage: 'production' })
    expect(living.objects.find(({ kind }) => kind === 'workload')).toMatchObject({
      name: 'web',
      spec: { workload_kind: 'Deployment', replicas: 2, labels: { team: 'shop' } },
    })
    expect(observer.conditions().filter(({ kind }) => kind !== 'usage')).toEqual([])
    expect(observer.facts()).toMatchObject({ kubernetes_version: expect.stringMatching(/^v1\./) as string })
    await close()
  })

  test('an object that is deleted and created again under the same name is two objects', async () => {
    await create(plane, aNode('churn-node'))
    const first = await create(plane, aPod('churn', 'solo', { node: 'churn-node' }))
    const { observer, close } = observe(plane.origin, () => 'for-tests')
    await observer.synced
    const before = observer.living(Math.floor(Date.now() / 1000)).pods.find(({ name }) => name === 'solo')
    expect(before).toMatchObject({ uid: first.metadata.uid, workloadKind: 'Pod', workloadName: 'solo' })
    await plane.call('DELETE', '/api/v1/namespaces/churn/pods/solo', { gracePeriodSeconds: 0 })
    const second = await create(plane, aPod('churn', 'solo', { node: 'churn-node' }))
    await awaitThat('the second is there', () =>
      observer.living(Math.floor(Date.now() / 1000)).pods.some(({ uid }) => uid === second.metadata.uid),
    )
    const deployment = await create(plane, aDeployment('shop', 'late'))
    const replicaSet = await create(plane, aReplicaSet('shop', 'late-1', deployment))
    await create(plane, aPod('shop', 'late-1-x', { owner: replicaSet }))
    // Within 15 s, before the agent would guess the owner from the pod name.
    const late = () => livingPods(observer).find(({ name }) => name === 'late-1-x')
    await awaitThat('an owner that came with its pod is known', () => late() !== undefined, 15)
    expect(late()).toMatchObject({ workloadKind: 'Deployment', workloadName: 'late' })
    const facts = observer.takeMinute(1)
    expect(facts.ends.map(({ ref }) => ref)).toContain(before?.ref)
    const soloPods = facts.pods.filter(({ name }) => name === 'solo')
    expect(new Set(soloPods.map(({ uid }) => uid))).toEqual(new Set([second.metadata.uid]))
    expect(soloPods[0]?.ref).not.toBe(before?.ref)
    await close()
  })

  test('restarts, OOM kills, in-place resizes and evictions are sent once', async () => {
    await create(plane, aNode('work-node'))
    const path = '/api/v1/namespaces/churn/pods/worker'
    await create(plane, aPod('churn', 'worker', { node: 'work-node' }))
    const status = (restartCount: number, more: object) =>
      plane.call('PATCH', `${path}/status`, {
        status: { phase: 'Running', containerStatuses: [{ ...statusOf('app', restartCount), ...more }] },
      })
    await status(0, {})
    const { observer, close } = observe(plane.origin, () => 'for-tests')
    await observer.synced
    const ref = livingPods(observer).find(({ name }) => name === 'worker')?.ref
    const killedAt = '2026-01-01T00:00:00Z'
    const kill = { terminated: { reason: 'OOMKilled', exitCode: 137, startedAt: killedAt, finishedAt: killedAt } }
    await status(1, { lastState: kill })
    await status(1, { lastState: kill, ready: true })
    await plane.call('PATCH', `${path}/resize`, {
      spec: { containers: [{ name: 'app', resources: { requests: { cpu: '500m', memory: '64Mi' } } }] },
    })
    await awaitThat('the resize is seen', () => shapeOf(observer, 'worker')?.containers[0]?.cpu_request === 500)
    await status(1, { resources: { requests: { cpu: '250m', memory: '64Mi' } } })
    await awaitThat('it is under way', () => shapeOf(observer, 'worker')?.containers[0]?.cpu_allocated === 250)
    await plane.call('POST', `${path}/eviction`, {
      apiVersion: 'policy/v1',
      kind: 'Eviction',
      metadata: { name: 'worker', namespace: 'churn' },
      deleteOptions: { gracePeriodSeconds: 0 },
    })
    await awaitThat('it is gone', () => !livingPods(observer).some(({ name }) => name === 'worker'))
    const facts = observer.takeMinute(1)
    expect(facts.events.filter(({ podRef }) => podRef === ref)).toEqual([
      { podRef: ref, container: 0, at: Date.parse(killedAt) / 1000, oomKills: 1, restarts: 1 },
    ])
    expect(facts.ends.filter((end) => end.ref === ref)).toHaveLength(1)
    expect(observer.takeMinute(2)).toMatchObject({ events: [], ends: [] })
    await close()
  })

  test('volumes, attach limits, load balancers, PodDisruptionBudgets, autoscalers, quotas and limits are read completely', async () => {
    await create(plane, aNode('asset-node'))
    const pod = await create(
      plane,
      aPod('churn', 'holder', {
        node: 'asset-node',
        spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
      }),
    )
    for (const manifest of assetManifests(pod)) await create(plane, manifest)
    const { observer, close } = observe(plane.origin, () => 'for-tests')
    await observer.synced
    await awaitThat('the endpoints are seen', () => observer.living(0).balancers[0]?.readyPodRefs.length === 1)
    const living = observer.living(Math.floor(Date.now() / 1000))
    const ref = living.pods.find(({ name }) => name === 'holder')?.ref
    expect(living.volumes).toMatchObject([
      {
        name: 'disk',
        namespace: 'churn',
        claim: 'data',
        storageClass: 'fast',
        diskType: 'gp3',
        driver: 'ebs.csi.aws.com',
        zone: 'eu-central-1a',
        sizeKib: 100 * 1024 ** 2,
        phase: 'bound',
        reclaimPolicy: 'Retain',
        mountedPodRefs: [ref],
      },
    ])
    expect(living.nodes.find(({ name }) => name === 'asset-node')?.attachLimits).toEqual({ 'ebs.csi.aws.com': 25 })
    expect(living.balancers).toMatchObject([{ name: 'front', namespace: 'churn', type: 'nlb', readyPodRefs: [ref] }])
    const specs = Object.fromEntries(
      living.objects.filter(({ namespace }) => namespace === 'churn').map(({ kind, spec }) => [kind, spec]),
    )
    expect(specs).toEqual({
      budget: { selector: { labels: { app: 'web' } }, disruptions_allowed: 0 },
      autoscaler: {
        ...{ scaler: 'hpa', target_kind: 'Deployment', target_name: 'web', replicas_min: 2, replicas_max: 9 },
        ...{ replicas: 3, cpu_target_percent: 70, cpu_metric_index: 1, memory_target_percent: 80 },
      },
      quota: { hard: { cpu_request: 10_000, pods: 50 }, used: { cpu_request: 500, pods: 2 } },
      limit_range: {
        ...{ min: { cpu: 10 }, max: { memory: 2 * 1024 ** 2 } },
        ...{ default_limit: { memory: 2 * 1024 ** 2 }, default_request: { cpu: 100, memory: 2 * 1024 ** 2 } },
      },
    })
    // A Service without its load balancer has no cost.
    await plane.call('PATCH', '/api/v1/namespaces/churn/services/front', { spec: { type: 'ClusterIP' } })
    await awaitThat('the balancer is gone', () => observer.living(0).balancers.length === 0)
    await close()
  })

  test('unreadable kinds are reported, and the others continue', async () => {
    const rules = [
      { apiGroups: [''], resources: ['nodes', 'pods', 'namespaces'], verbs: ['list', 'watch', 'get'] },
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['list', 'watch'] },
    ]
    const group = 'rbac.authorization.k8s.io'
    await plane.call('POST', `/apis/${group}/v1/clusterroles`, {
      apiVersion: `${group}/v1`,
      kind: 'ClusterRole',
      metadata: { name: 'some' },
      rules,
    })
    await plane.call('POST', `/apis/${group}/v1/clusterrolebindings`, {
      apiVersion: `${group}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'some' },
      subjects: [{ kind: 'User', name: 'may-some', apiGroup: group }],
      roleRef: { kind: 'ClusterRole', name: 'some', apiGroup: group },
    })
    const { observer, close } = observe(plane.origin, () => 'may-some')
    await observer.synced
    const forbidden = observer.conditions().filter(({ status }) => status === 'forbidden')
    expect(forbidden.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['replicasets', 'services', 'persistentvolumes', 'horizontalpodautoscalers']),
    )
    expect(forbidden.map(({ kind }) => kind)).not.toContain('pods')
    expect(observer.conditions().find(({ kind }) => kind === 'csinodes')).toMatchObject({
      status: 'absent',
      reason: 'OptionalRightMissing',
    })
    expect(observer.facts().watches).toEqual([])
    expect(observer.freshness().map(({ kind }) => kind)).toEqual(expect.arrayContaining(['nodes', 'pods']))
    // Then the owners are guessed from the pod names, and no pod is missing.
    expect(livingPods(observer).length).toBeGreaterThan(299)
    expect(livingPods(observer).find(({ name }) => name.startsWith('web-'))).toMatchObject({
      workloadKind: 'ReplicaSet',
      workloadName: 'web-5d4f8c7b9',
    })
    expect(await observer.clusterUid()).toMatch(/^[0-9a-f-]{36}$/)
    await close()
  })

  test('expired credentials lose no objects, and new credentials continue', async () => {
    let token = 'for-tests'
    const { observer, close } = observe(plane.origin, () => token, { silenceSecondsMax: 1 })
    await observer.synced
    const count = livingPods(observer).length
    token = 'expired'
    await awaitThat('it is refused', () =>
      observer.conditions().some(({ kind, reason }) => kind === 'api_server' && reason === 'Unauthenticated'),
    )
    await awaitThat('pods are not watched', () => !observer.freshness().find(({ kind }) => kind === 'pods')?.synced)
    expect(livingPods(observer)).toHaveLength(count)
    expect(observer.takeMinute(1).usage).toEqual([])
    await create(plane, aPod('churn', 'while-expired'))
    token = 'for-tests'
    await awaitThat('the new pod is seen', () => livingPods(observer).some(({ name }) => name === 'while-expired'))
    await close()
  })

  test('a restarted API server that lost its event history causes no missed changes', async () => {
    await create(plane, aPod('churn', 'leaves', { node: 'work-node' }))
    let token = 'for-tests'
    const { observer, close, lists } = observe(plane.origin, () => token)
    await observer.synced
    const left = livingPods(observer).find(({ name }) => name === 'leaves')?.ref
    observer.takeMinute(0)
    token = 'expired'
    const other = await restartUnseen(plane)
    token = 'for-tests'
    await awaitThat('what is new is seen', () => livingPods(observer).some(({ uid }) => uid === other), 120)
    const facts = observer.takeMinute(1)
    expect(lists.filter((path) => path === '/api/v1/pods')).toHaveLength(2)
    expect(facts.ends.map(({ ref }) => ref)).toContain(left)
    expect(facts.pods.filter(({ name }) => name === 'leaves').map(({ uid }) => uid)).toEqual([other])
    await awaitThat('all is well again', () => observer.freshness().every(({ synced }) => synced))
    await close()
  })
})

const livingPods = (observer: Observer) => observer.living(Math.floor(Date.now() / 1000)).pods
const shapeOf = (observer: Observer, pod: string) => livingPods(observer).find(({ name }) => name === pod)?.shape

/** Watches end with the server, so that no watch runs while a pod is replaced and the history is lost. */
async function restartUnseen(plane: ControlPlane): Promise<string> {
  const path = '/api/v1/namespaces/churn/pods/leaves'
  await plane.stopApiServer()
  await plane.startApiServer()
  await plane.call('DELETE', path, { gracePeriodSeconds: 0 })
  const made = await create(plane, aPod('churn', 'leaves', { node: 'work-node' }))
  await plane.compact()
  await plane.stopApiServer()
  await plane.startApiServer()
  return made.metadata.uid
}
