import type { PoolScenario, Scenario, WorkloadScenario } from '../scenario/scenario.ts'
import { container, dns, nodeAgents, shipper } from './parts.ts'

const zones = ['europe-west4-a', 'europe-west4-b']

const pools: PoolScenario[] = [
  {
    name: 'default',
    instanceType: 'e2-standard-8',
    count: 9,
    zones,
    capacityType: 'on-demand',
    capacity: { cpuMillicores: 8000, memoryMib: 32_090 },
    allocatable: { cpuMillicores: 7910, memoryMib: 29_000 },
    podsMax: 110,
    autoscaling: { min: 7, max: 12 },
  },
  {
    name: 'batch-spot',
    instanceType: 'n2-standard-8',
    count: 3,
    zones,
    capacityType: 'spot',
    capacity: { cpuMillicores: 8000, memoryMib: 32_090 },
    allocatable: { cpuMillicores: 7910, memoryMib: 29_000 },
    podsMax: 110,
    dedicated: true,
    interruptionsPerNodeDay: 0.8,
  },
  {
    name: 'gpu-l4',
    instanceType: 'g2-standard-8',
    count: 2,
    zones: ['europe-west4-a'],
    capacityType: 'on-demand',
    capacity: { cpuMillicores: 8000, memoryMib: 32_090 },
    allocatable: { cpuMillicores: 7910, memoryMib: 29_000 },
    podsMax: 110,
    gpu: { resource: 'nvidia.com/gpu', product: 'NVIDIA-L4', count: 1 },
    dedicated: true,
    autoscaling: { min: 1, max: 4 },
  },
  {
    name: 'gpu-a100',
    instanceType: 'a2-highgpu-1g',
    count: 1,
    zones: ['europe-west4-a'],
    capacityType: 'on-demand',
    capacity: { cpuMillicores: 12_000, memoryMib: 87_040 },
    allocatable: { cpuMillicores: 11_900, memoryMib: 80_000 },
    podsMax: 110,
    gpu: { resource: 'nvidia.com/gpu', product: 'NVIDIA-A100-SXM4-40GB', count: 1 },
    dedicated: true,
    // Scales down when it is empty.
    autoscaling: { min: 0, max: 2 },
  },
]

const research: WorkloadScenario[] = [
  {
    namespace: 'research',
    name: 'train-ranker',
    kind: 'Job',
    archetype: { kind: 'training' },
    pools: ['gpu-l4'],
    runs: { seconds: 200_000, atSecond: 600 },
    containers: [container('train', { cpu: 6000, mib: 24_576, gpus: 1 }, { cpu: 5200, mib: 20_000 })],
  },
  {
    // Blocks the most expensive node of the cluster, idle for weeks.
    namespace: 'research',
    name: 'notebook-anna',
    kind: 'Deployment',
    archetype: { kind: 'idle' },
    pools: ['gpu-a100'],
    containers: [container('notebook', { cpu: 4000, mib: 32_768, gpus: 1 }, { cpu: 1, mib: 900 })],
  },
  {
    namespace: 'research',
    name: 'inference',
    kind: 'Deployment',
    archetype: { kind: 'web' },
    pools: ['gpu-l4'],
    containers: [container('serve', { cpu: 2000, mib: 8192, gpus: 1 }, { cpu: 700, mib: 5200 })],
  },
]

const services: WorkloadScenario[] = [
  {
    namespace: 'gateway',
    name: 'ingress',
    kind: 'Deployment',
    replicas: 4,
    archetype: { kind: 'web', swing: 0.5 },
    autoscaler: { replicasMin: 2, replicasMax: 10, targetPercent: 55 },
    containers: [container('envoy', { cpu: 500, mib: 512 }, { cpu: 260, mib: 260 }), shipper()],
  },
  {
    namespace: 'messaging',
    name: 'kafka',
    kind: 'StatefulSet',
    replicas: 3,
    archetype: { kind: 'jvm' },
    disruptionBudget: { minAvailable: 2 },
    onePerNode: true,
    claim: { sizeGib: 250, storageClass: 'pd-balanced', driver: 'pd.csi.storage.gke.io' },
    containers: [container('kafka', { cpu: 2000, mib: 8192 }, { cpu: 900, mib: 6600 }, { limit: { mib: 8192 } })],
  },
  {
    namespace: 'messaging',
    name: 'stream-processor',
    kind: 'Deployment',
    replicas: 10,
    archetype: { kind: 'jvm' },
    containers: [container('flink', { cpu: 1500, mib: 4096 }, { cpu: 450, mib: 3300 }, { limit: { mib: 4096 } })],
  },
  {
    namespace: 'identity',
    name: 'keycloak',
    kind: 'Deployment',
    replicas: 3,
    archetype: { kind: 'jvm' },
    spreadOverZones: true,
    verticalAutoscaler: 'Auto',
    containers: [container('keycloak', { cpu: 1000, mib: 2048 }, { cpu: 140, mib: 1500 }, { limit: { mib: 2048 } })],
  },
  {
    namespace: 'identity',
    name: 'session-cache',
    kind: 'Deployment',
    replicas: 2,
    archetype: { kind: 'leak', memoryMibPerHour: 60 },
    containers: [container('cache', { cpu: 250, mib: 512 }, { cpu: 90, mib: 200 }, { limit: { mib: 900 } })],
  },
  {
    namespace: 'warehouse',
    name: 'transform',
    kind: 'CronJob',
    replicas: 5,
    archetype: { kind: 'batch' },
    pools: ['batch-spot'],
    runs: { everyMinutes: 30, seconds: 700 },
    containers: [container('dbt', { cpu: 2500, mib: 6144 }, { cpu: 2100, mib: 4000 })],
  },
  {
    namespace: 'warehouse',
    name: 'metabase',
    kind: 'Deployment',
    archetype: { kind: 'spiky', spikesPerDay: 14, factor: 10 },
    containers: [container('metabase', { cpu: 2000, mib: 4096 }, { cpu: 150, mib: 2100 })],
  },
  {
    // Without requests: its cost is its usage.
    namespace: 'tools',
    name: 'wiki',
    kind: 'Deployment',
    archetype: { kind: 'web' },
    containers: [container('wiki', {}, { cpu: 180, mib: 700 })],
  },
]

const backends: WorkloadScenario[] = ['audit', 'billing', 'catalog', 'email', 'export', 'flags', 'geo', 'search'].map(
  (name, index) => ({
    namespace: 'tools',
    name,
    kind: 'Deployment',
    replicas: 3,
    archetype: { kind: 'web', peakHourUtc: 8 + index },
    containers: [container(name, { cpu: 400 + 50 * index, mib: 768 }, { cpu: 90 + 20 * index, mib: 420 })],
  }),
)

/** Throttled by its CPU limit most of the day. */
const thumbnails: WorkloadScenario = {
  namespace: 'tools',
  name: 'thumbnails',
  kind: 'Deployment',
  replicas: 2,
  archetype: { kind: 'web' },
  containers: [container('render', { cpu: 150, mib: 256 }, { cpu: 260, mib: 180 }, { limit: { cpu: 250, mib: 512 } })],
}

/** A platform team on Google Cloud: 15 nodes with GPUs. Stories: an idle A100, spot batch jobs, a cache that leaks. */
export const gcpPlatform: Scenario = {
  seed: 1815,
  name: 'platform',
  clusterUid: 'b7d2f0c4-93aa-4c0d-8f6e-2e8f5c3a1815',
  provider: 'gcp',
  region: 'europe-west4',
  kubernetesVersion: 'v1.33.2-gke.1240000',
  pools,
  namespaces: ['kube-system', 'research', 'gateway', 'messaging', 'identity', 'warehouse', 'tools'].map((name) => ({
    name,
    labels: { team: name === 'research' ? 'research' : 'platform' },
  })),
  workloads: [...nodeAgents(), dns(), ...research, ...services, ...backends, thumbnails],
  volumes: [
    {
      namespace: 'research',
      name: 'notebook-anna',
      sizeGib: 100,
      storageClass: 'pd-ssd',
      driver: 'pd.csi.storage.gke.io',
      workload: 'notebook-anna',
    },
    {
      namespace: 'research',
      name: 'datasets',
      sizeGib: 2000,
      storageClass: 'pd-standard',
      driver: 'pd.csi.storage.gke.io',
    },
    {
      namespace: 'messaging',
      name: 'checkpoints',
      sizeGib: 1024,
      storageClass: 'filestore-standard',
      driver: 'filestore.csi.storage.gke.io',
      workload: 'stream-processor',
    },
  ],
  balancers: [
    { namespace: 'gateway', name: 'ingress', type: 'external', workload: 'ingress' },
    { namespace: 'research', name: 'old-demo', type: 'external' },
  ],
  happenings: [
    { kind: 'rollout', atSecond: 9000, namespace: 'messaging', workload: 'stream-processor' },
    { kind: 'interrupt-node', atSecond: 14_400, pool: 'batch-spot' },
    { kind: 'scale', atSecond: 86_400, namespace: 'identity', workload: 'keycloak', replicas: 5 },
  ],
  scheduling: 'emptiest',
  churnPerHour: 0.03,
}
