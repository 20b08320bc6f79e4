import type { AgentFacts, ClusterObject, NodeVersion, PodShape, PodVersion } from '@plimsoll/contract'
import type { AdmittingCapacity } from '@plimsoll/engine/packing'
import { expect, test } from 'vitest'
import { ClusterObjects } from '../fold/cluster-objects.ts'
import { emptyFoldState } from '../fold/fold-state.ts'
import { Inventory } from '../fold/inventory.ts'
import { aNodeClass } from '../../test/a-node-class.ts'
import { liveShapes } from './live-shape.ts'
import { reportedObjects } from './reported-objects.ts'

const gib = 1024 * 1024

type NamedObject = ClusterObject & { name?: string }

type Reported = { agent?: AgentFacts; objects?: NamedObject[]; capacity?: AdmittingCapacity }

function objectsOf(objects: readonly NamedObject[]): ClusterObjects {
  const known = new ClusterObjects()
  objects.forEach((object, index) =>
    known.add({
      ref: index,
      uid: `object-${index}`,
      from: 0,
      namespace: 'shop',
      name: `the-${object.kind}`,
      ...object,
    }),
  )
  return known
}

/** The newest of two pods of a Deployment, as it was reported. */
function shapeOf(shape: PodShape, given: Partial<PodVersion> = {}, { agent, objects = [], capacity }: Reported = {}) {
  const inventory = new Inventory(aNodeClass)
  const node = inventory.addNode({
    uid: 'node',
    from: 0,
    createdAt: 0,
    cpuAllocatableMillicores: 4000,
    memoryAllocatableKib: 16 * gib,
  } as NodeVersion)
  const pod = (uid: string, boundAt: number, of: PodShape): PodVersion => ({
    ref: 1,
    uid,
    from: boundAt,
    name: uid,
    namespace: 'shop',
    nodeRef: 1,
    boundAt,
    phase: 'running',
    shape: of,
    workloadKind: 'Deployment',
    workloadName: 'web',
    labels: { team: 'red' },
    ...given,
  })
  inventory.addPod(pod('old', 10, { containers: [{ name: 'before', kind: 'app' }] }), node)
  inventory.addPod(pod('new', 20, shape), node)
  const state = { ...emptyFoldState(aNodeClass), inventory, watermark: 100, agent, objects: objectsOf(objects) }
  const find = capacity
    ? liveShapes(state, (path) => (path === 'shop/Deployment/web' ? capacity : null))
    : liveShapes(state)
  return find({ namespace: 'shop', kind: given.workloadKind ?? 'Deployment', name: 'web' })
}

const pod: PodShape['containers'] = [
  { name: 'istio-init', kind: 'init' },
  { name: 'proxy', kind: 'sidecar', cpu_request: 50 },
  { name: 'istio-proxy', kind: 'app', cpu_request: 100, memory_request: 128 * 1024 },
  { name: 'app', kind: 'app', cpu_request: 500, memory_request: gib, memory_limit: 2 * gib },
]

test('a template defines containers and resources, its pods define the number of replicas', () => {
  const template = {
    api_version: 'apps/v1',
    init_containers: [{ name: 'proxy', requests: ['cpu'] }],
    containers: [{ name: 'app', requests: ['cpu', 'ephemeral-storage'], limits: ['memory'] }],
  }
  expect(shapeOf({ containers: pod, template })).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    namespace: 'shop',
    name: 'web',
    replicas: 2,
    containers: [
      {
        name: 'proxy',
        list: 'initContainers',
        index: 0,
        isSidecar: true,
        requestKeys: ['cpu'],
        limitKeys: [],
        hasClaims: false,
        requests: { cpuMillicores: 50, memoryKib: null },
        limits: { cpuMillicores: null, memoryKib: null },
      },
      {
        name: 'app',
        list: 'containers',
        index: 0,
        isSidecar: false,
        requestKeys: ['cpu', 'ephemeral-storage'],
        limitKeys: ['memory'],
        hasClaims: false,
        requests: { cpuMillicores: 500, memoryKib: gib },
        limits: { cpuMillicores: null, memoryKib: 2 * gib },
      },
    ],
    injected: ['istio-init', 'istio-proxy'],
    isTemplateSeen: true,
    podRequests: { cpuMillicores: null, memoryKib: null },
    podLimits: { cpuMillicores: null, memoryKib: null },
    labels: { team: 'red' },
    annotations: {},
    owner: null,
    autoscaler: 'unknown',
    limitRange: 'unknown',
    quota: 'unknown',
    largestNode: { cpuMillicores: 4000, memoryKib: 16 * gib, among: 'cluster' },
  })
})

test('without a template the pod stands for it, without containers that a mesh injects', () => {
  expect(shapeOf({ containers: pod })).toMatchObject({
    apiVersion: 'apps/v1',
    containers: [{ name: 'proxy' }, { name: 'app', index: 0, requestKeys: ['cpu', 'memory'], limitKeys: ['memory'] }],
    injected: ['istio-init', 'istio-proxy'],
    isTemplateSeen: false,
    owner: 'unknown',
  })
})

test('an operator that owns the workload is known, and so is a custom kind', () => {
  const owner = { api_version: 'db.example.com/v1', kind: 'Postgres', name: 'main' }
  const template = { api_version: 'apps/v1', containers: [{ name: 'app' }], owner }
  expect(shapeOf({ containers: pod, template })?.owner).toEqual({
    apiVersion: 'db.example.com/v1',
    kind: 'Postgres',
    name: 'main',
  })
  expect(shapeOf({ containers: pod }, { workloadKind: 'Sandbox' })?.apiVersion).toBe('')
})

test('the only container of a Knative Service may have no name', () => {
  const template = { api_version: 'serving.knative.dev/v1', containers: [{ name: '', requests: ['cpu'] }] }
  const containers: PodShape['containers'] = [
    { name: 'user-container', kind: 'app', cpu_request: 500 },
    { name: 'queue-proxy', kind: 'app' },
  ]
  expect(shapeOf({ containers, template }, { workloadKind: 'Service' })).toMatchObject({
    containers: [{ name: '', requests: { cpuMillicores: 500 } }],
    injected: ['queue-proxy'],
  })
})

test('a CronJob between its runs has the shape of its last run, as long as the CronJob exists', () => {
  const template = { api_version: 'batch/v1', containers: [{ name: 'app', requests: ['cpu'] }] }
  const ended = { workloadKind: 'CronJob', phase: 'succeeded' } as const
  const cronJob: NamedObject = { kind: 'workload', name: 'web', spec: { workload_kind: 'CronJob' } }
  expect(shapeOf({ containers: pod, template }, ended, { objects: [cronJob] })).toMatchObject({
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    replicas: 1,
    containers: [{ name: 'app', requests: { cpuMillicores: 500 } }],
  })
  expect(shapeOf({ containers: pod, template }, ended)).toBeNull()
  expect(shapeOf({ containers: pod, template }, { ...ended, workloadKind: 'Deployment' })).toBeNull()
})

test('the largest node is one that its pods may run on, if that is known', () => {
  const capacity = { cpuMax: 2_000_000, memoryMax: 4 * gib, cpuFree: 0 }
  expect(shapeOf({ containers: pod }, {}, { capacity })?.largestNode).toEqual({
    cpuMillicores: 2000,
    memoryKib: 4 * gib,
    among: 'admitting',
  })
})

test('a deleted workload has no shape', () => {
  const inventory = new Inventory(aNodeClass)
  const state = { ...emptyFoldState(aNodeClass), inventory, watermark: 100 }
  const find = liveShapes(state)
  expect(find({ namespace: 'shop', kind: 'Deployment', name: 'web' })).toBeNull()
})

const watching: AgentFacts = {
  version: '1.0.0',
  kubernetes_version: 'v1.34.0',
  watches: ['autoscaler', 'limit_range', 'quota'],
} as AgentFacts

test('an object that the agent watches and does not find does not exist', () => {
  expect(shapeOf({ containers: pod }, {}, { agent: watching })).toMatchObject({
    autoscaler: null,
    limitRange: null,
    quota: null,
    labels: { team: 'red' },
  })
})

test('autoscaler, namespace limits and annotations come from the objects of the cluster', () => {
  const target = { target_kind: 'Deployment', target_name: 'web', replicas_min: 2, replicas_max: 9 }
  const objects: ClusterObject[] = [
    {
      kind: 'autoscaler',
      spec: { scaler: 'hpa', ...target, cpu_target_percent: 70, cpu_metric_index: 1, cpu_container: 'app' },
    },
    { kind: 'limit_range', spec: { min: { cpu: 10 }, max: { memory: 4 * gib } } },
    { kind: 'limit_range', spec: { min: { cpu: 50, memory: 1024 }, max: { memory: 2 * gib } } },
    { kind: 'quota', spec: { hard: { cpu_request: 8000, memory_limit: gib }, used: { cpu_request: 6500 } } },
    { kind: 'quota', spec: { hard: { cpu_request: 4000 }, used: { cpu_request: 3900, memory_limit: gib } } },
  ]
  const found = shapeOf({ containers: pod }, {}, { agent: watching, objects })
  expect(found?.autoscaler).toEqual({
    scaler: 'hpa',
    name: 'the-autoscaler',
    replicasMin: 2,
    replicasMax: 9,
    cpuTargetPercent: 70,
    cpuMetricIndex: 1,
    container: 'app',
  })
  expect(found?.limitRange).toEqual({
    min: { cpuMillicores: 50, memoryKib: 1024 },
    max: { cpuMillicores: null, memoryKib: 2 * gib },
  })
  expect(found?.quota).toEqual({
    requests: { cpuMillicores: 100, memoryKib: null },
    limits: { cpuMillicores: null, memoryKib: gib },
  })
})

test('labels and annotations are those of the workload if the agent sends them', () => {
  const spec = {
    workload_kind: 'Deployment',
    labels: { 'app.kubernetes.io/managed-by': 'Helm' },
    annotations: { 'meta.helm.sh/release-name': 'shop' },
  }
  const known = new ClusterObjects()
  known.add({ ref: 1, uid: 'w', from: 0, namespace: 'shop', name: 'web', kind: 'workload', spec })
  const { labels, annotations } = reportedObjects({ objects: known, agent: undefined, watermark: 1 })({
    namespace: 'shop',
    kind: 'Deployment',
    name: 'web',
  })
  expect({ labels, annotations }).toEqual({ labels: spec.labels, annotations: spec.annotations })
})

test('the other workloads of the same Helm release are listed with their chart and component', () => {
  const labels = { 'app.kubernetes.io/instance': 'front', 'helm.sh/chart': 'web-1.2.3' }
  const of = (name: string, labels: Record<string, string>, kind = 'Deployment'): NamedObject => ({
    kind: 'workload',
    name,
    spec: { workload_kind: kind, labels },
  })
  const cache = { ...labels, 'helm.sh/chart': 'cache-1.0.0', 'app.kubernetes.io/component': 'cache' }
  const objects = [
    of('web', labels),
    of('cache', cache, 'StatefulSet'),
    of('other', { ...labels, 'app.kubernetes.io/instance': 'back' }),
    of('plain', { 'app.kubernetes.io/instance': 'front' }),
  ]
  expect(shapeOf({ containers: pod }, {}, { objects })?.releaseSiblings).toEqual([
    { kind: 'StatefulSet', name: 'cache', chart: 'cache-1.0.0', component: 'cache' },
    { kind: 'Deployment', name: 'plain', chart: null, component: null },
  ])
  expect(shapeOf({ containers: pod }, {}, { objects: [of('web', {})] })).not.toHaveProperty('releaseSiblings')
})
