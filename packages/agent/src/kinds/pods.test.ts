import { gpuParts } from '@plimsoll/engine/allocation'
import { expect, test } from 'vitest'
import { acceleratorsOf } from './accelerators.ts'
import type { PodObject } from './kube-types.ts'
import { podShape } from './pod-shape.ts'
import { PodReader } from './pods.ts'

const aPod = ({ metadata, ...rest }: PodObject = {}): PodObject => ({
  metadata: { uid: 'uid-1', name: 'web-1', namespace: 'shop', ...metadata },
  spec: { containers: [{ name: 'app', resources: { requests: { cpu: '100m', memory: '64Mi' } } }] },
  ...rest,
})

test('requests, limits, overhead, sidecars, init containers, GPUs and pod-level resources', () => {
  const spec = {
    initContainers: [
      { name: 'setup', resources: { requests: { cpu: '1' } } },
      { name: 'mesh', restartPolicy: 'Always', resources: { requests: { memory: '32Mi' } } },
    ],
    containers: [
      { name: 'app', resources: { requests: { cpu: '0.5', 'nvidia.com/gpu': '2' }, limits: { memory: '1G' } } },
    ],
    overhead: { cpu: '250m', memory: '120Mi' },
    resources: { requests: { cpu: '2' }, limits: { memory: '4Gi' } },
  }
  expect(podShape({ spec })).toEqual({
    containers: [
      { name: 'setup', kind: 'init', cpu_request: 1000 },
      { name: 'mesh', kind: 'sidecar', memory_request: 32_768 },
      {
        name: 'app',
        kind: 'app',
        cpu_request: 500,
        memory_limit: 976_563,
        gpu_resource: 'nvidia.com/gpu',
        gpu_count: 2,
      },
    ],
    overhead_cpu: 250,
    overhead_memory: 122_880,
    pod_cpu_request: 2000,
    pod_memory_limit: 4_194_304,
    scheduling: { extended_requests: { 'nvidia.com/gpu': 2 } },
  })
})

test('images are distinguished without their names', () => {
  const digestOf = (image: string) => podShape({ spec: { containers: [{ name: 'app', image }] } }).containers[0]?.image
  expect(digestOf('registry.internal/shop/web:1')).toMatch(/^[0-9a-f]{16}$/)
  expect(digestOf('registry.internal/shop/web:1')).toBe(digestOf('registry.internal/shop/web:1'))
  expect(digestOf('registry.internal/shop/web:2')).not.toBe(digestOf('registry.internal/shop/web:1'))
})

test.each([
  {
    name: 'is in progress',
    status: { allocatedResources: { cpu: '50m', memory: '64Mi' } },
    expected: { cpu_allocated: 50 },
  },
  {
    name: 'keeps its resources',
    status: { resources: { requests: { cpu: '50m' } } },
    expected: { cpu_allocated: 50 },
  },
  { name: 'is complete', status: { allocatedResources: { cpu: '100m', memory: '64Mi' } }, expected: {} },
])('a resize in place that $name', ({ status, expected }) => {
  const { containers } = podShape(aPod({ status: { containerStatuses: [{ name: 'app', ...status }] } }))
  expect(containers).toEqual([{ name: 'app', kind: 'app', cpu_request: 100, memory_request: 65_536, ...expected }])
})

test.each([
  { resize: 'Infeasible' },
  { conditions: [{ type: 'PodResizePending', status: 'True', reason: 'Infeasible' }] },
])('an infeasible resize: %j', (status) => {
  expect(podShape(aPod({ status })).resize_infeasible).toBe(true)
})

test('required constraints use the terms of the contract, and preferences are omitted', () => {
  const labelSelector = { matchLabels: { app: 'web' } }
  const required = { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'zone', labelSelector }] }
  const pod = aPod({
    metadata: {
      labels: { app: 'web', 'pod-template-hash': 'abc' },
      annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'false', 'karpenter.sh/do-not-disrupt': 'true' },
    },
    spec: {
      containers: [
        {
          name: 'app',
          ports: [{ hostPort: 80, protocol: 'TCP' }],
          resources: { requests: { 'ephemeral-storage': '1Gi' } },
        },
      ],
      tolerations: [
        { key: 'gpu', operator: 'Exists', effect: 'NoSchedule' },
        { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
        { key: 'strange', operator: 'Gt', value: '5' },
      ],
      nodeSelector: { disk: 'ssd' },
      affinity: {
        podAntiAffinity: required,
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchExpressions: [{ key: 'arch', operator: 'In', values: ['arm64'] }] }],
          },
        },
      },
      topologySpreadConstraints: [
        {
          topologyKey: 'zone',
          maxSkew: 1,
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector,
          matchLabelKeys: ['pod-template-hash'],
        },
        { topologyKey: 'host', maxSkew: 1, whenUnsatisfiable: 'ScheduleAnyway' },
      ],
      priority: 1000,
      volumes: [{ name: 'tmp', emptyDir: {} }],
    },
  })
  expect(podShape(pod).scheduling).toEqual({
    tolerations: [{ key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }],
    node_selector: { disk: 'ssd' },
    node_affinity: [{ expressions: [{ key: 'arch', operator: 'In', values: ['arm64'] }] }],
    pod_anti_affinity: [{ topology_key: 'zone', selector: { labels: { app: 'web' } } }],
    spread: [
      {
        topology_key: 'zone',
        max_skew: 1,
        selector: {
          labels: { app: 'web' },
          expressions: [{ key: 'pod-template-hash', operator: 'In', values: ['abc'] }],
        },
      },
    ],
    host_ports: [{ port: 80, protocol: 'TCP' }],
    priority: 1000,
    ephemeral_request: 1_048_576,
    safe_to_evict: false,
    do_not_disrupt: true,
    local_storage: true,
  })
})

test('equal pods share their common values', () => {
  const reader = new PodReader()
  const read = (name: string) =>
    reader.read(
      aPod({
        metadata: {
          uid: name,
          name,
          namespace: 'shop',
          labels: { app: 'web', 'statefulset.kubernetes.io/pod-name': name },
        },
      }),
    )
  const [a, b] = [read('web-0'), read('web-1')]
  expect(a?.shape).toBe(b?.shape)
  expect(a?.labels).toBe(b?.labels)
  expect(a?.labels).toEqual({ app: 'web' })
  expect(a?.made).toBe(b?.made)
})

test('binding time, end, OOM kills and mounted claims', () => {
  const facts = new PodReader().read(
    aPod({
      spec: {
        nodeName: 'node-1',
        containers: [{ name: 'app' }],
        volumes: [
          { name: 'data', persistentVolumeClaim: { claimName: 'disk' } },
          { name: 'scratch', ephemeral: {} },
        ],
      },
      status: {
        phase: 'Failed',
        conditions: [{ type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-01-01T00:00:10Z' }],
        containerStatuses: [
          {
            name: 'app',
            restartCount: 2,
            state: { terminated: { reason: 'OOMKilled', finishedAt: '2026-01-01T00:01:00Z' } },
          },
        ],
      },
    }),
  )
  const newYear = Date.parse('2026-01-01T00:00:00Z') / 1000
  expect(facts).toMatchObject({
    nodeName: 'node-1',
    boundAt: newYear + 10,
    phase: 'failed',
    finishedAt: newYear + 60,
    claims: ['disk', 'web-1-scratch'],
    restarts: [2],
    kills: [newYear + 60],
  })
})

test.each([
  'nvidia.com/gpu',
  'nvidia.com/gpu.shared',
  'nvidia.com/mig-1g.5gb',
  'amd.com/gpu',
  'gpu.intel.com/xe',
  'habana.ai/gaudi',
  'aws.amazon.com/neuron',
  'hugepages-2Mi',
  'example.com/fpga',
])('%s is an accelerator if the engine treats it as one', (resource) => {
  expect(acceleratorsOf({ [resource]: '1' }) !== undefined).toBe(gpuParts(resource, 1, {}) !== undefined)
})
