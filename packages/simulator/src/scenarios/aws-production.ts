import type { PoolScenario, Scenario, WorkloadScenario } from '../scenario/scenario.ts'
import { argoCd, fluxHelmRelease, fluxKustomization, helmRelease } from './delivered-by.ts'
import { container, dns, migration, nodeAgents, proxy, shipper } from './parts.ts'

const zones = ['eu-west-1a', 'eu-west-1b', 'eu-west-1c']

const pools: PoolScenario[] = [
  {
    name: 'general',
    instanceType: 'm6i.4xlarge',
    count: 12,
    zones,
    capacityType: 'on-demand',
    capacity: { cpuMillicores: 16_000, memoryMib: 63_300 },
    allocatable: { cpuMillicores: 15_890, memoryMib: 60_500 },
    podsMax: 234,
    autoscaling: { min: 6, max: 15, scaler: 'karpenter' },
  },
  {
    name: 'spot',
    instanceType: 'c6i.4xlarge',
    count: 5,
    zones,
    capacityType: 'spot',
    capacity: { cpuMillicores: 16_000, memoryMib: 31_600 },
    allocatable: { cpuMillicores: 15_890, memoryMib: 29_200 },
    podsMax: 234,
    dedicated: true,
    interruptionsPerNodeDay: 0.3,
  },
  {
    name: 'data',
    instanceType: 'r6i.2xlarge',
    count: 4,
    zones,
    capacityType: 'on-demand',
    capacity: { cpuMillicores: 8000, memoryMib: 63_300 },
    allocatable: { cpuMillicores: 7910, memoryMib: 61_800 },
    podsMax: 58,
    dedicated: true,
  },
  {
    // One pod blocks the removal of this large node.
    name: 'reports',
    instanceType: 'm6i.4xlarge',
    count: 1,
    zones: ['eu-west-1a'],
    capacityType: 'on-demand',
    capacity: { cpuMillicores: 16_000, memoryMib: 63_300 },
    allocatable: { cpuMillicores: 15_890, memoryMib: 60_500 },
    podsMax: 234,
    dedicated: true,
  },
  {
    // One node could be half as large, but a PodDisruptionBudget blocks the drain.
    name: 'secure',
    instanceType: 'm6i.xlarge',
    count: 2,
    zones: ['eu-west-1a', 'eu-west-1b'],
    capacityType: 'on-demand',
    capacity: { cpuMillicores: 4000, memoryMib: 15_700 },
    allocatable: { cpuMillicores: 3920, memoryMib: 14_600 },
    podsMax: 58,
    autoscaling: { min: 1, max: 3, scaler: 'karpenter' },
    dedicated: true,
  },
]

const shop: WorkloadScenario[] = [
  {
    namespace: 'shop',
    name: 'storefront',
    kind: 'Deployment',
    replicas: 16,
    archetype: { kind: 'web', peakHourUtc: 18 },
    autoscaler: { replicasMin: 8, replicasMax: 32, targetPercent: 60 },
    disruptionBudget: { minAvailable: 6 },
    spreadOverZones: true,
    containers: [container('web', { cpu: 1000, mib: 1024 }, { cpu: 550, mib: 620 }), proxy(), shipper()],
  },
  {
    // Sized for peaks of five minutes.
    namespace: 'shop',
    name: 'search-api',
    kind: 'Deployment',
    replicas: 8,
    archetype: { kind: 'spiky', spikesPerDay: 10, factor: 8 },
    annotations: argoCd('shop', 'shop/search-api'),
    containers: [container('api', { cpu: 2000, mib: 2048 }, { cpu: 220, mib: 900 }), proxy()],
  },
  {
    namespace: 'shop',
    name: 'cart',
    kind: 'Deployment',
    replicas: 6,
    archetype: { kind: 'jvm' },
    onePerNode: true,
    annotations: { 'plimsoll.dev/min-memory': '2816Mi' },
    containers: [
      container('cart', { cpu: 1500, mib: 3072 }, { cpu: 280, mib: 2300 }, { limit: { mib: 3072 } }),
      proxy(),
    ],
  },
  {
    // OOM-killed about twice a day.
    namespace: 'shop',
    name: 'recommender',
    kind: 'Deployment',
    replicas: 4,
    archetype: { kind: 'leak', memoryMibPerHour: 140 },
    containers: [container('model', { cpu: 500, mib: 1024 }, { cpu: 260, mib: 480 }, { limit: { mib: 2048 } })],
  },
  {
    namespace: 'shop',
    name: 'image-resizer',
    kind: 'Deployment',
    replicas: 14,
    archetype: { kind: 'web', peakHourUtc: 18 },
    pools: ['spot'],
    annotations: argoCd('shop', 'shop/image-resizer'),
    containers: [container('resizer', { cpu: 2000, mib: 1536 }, { cpu: 1200, mib: 800 })],
  },
]

const payments: WorkloadScenario[] = [
  {
    namespace: 'payments',
    name: 'checkout',
    kind: 'Deployment',
    replicas: 10,
    archetype: { kind: 'web' },
    labels: fluxKustomization('payments'),
    containers: [migration(), container('checkout', { cpu: 800, mib: 1024 }, { cpu: 300, mib: 500 }), proxy()],
  },
  {
    // Requests four times its maximum usage.
    namespace: 'payments',
    name: 'ledger-db',
    kind: 'StatefulSet',
    replicas: 3,
    archetype: { kind: 'database' },
    pools: ['data'],
    // All three must be available, so their nodes cannot be drained.
    disruptionBudget: { minAvailable: 3 },
    onePerNode: true,
    claim: { sizeGib: 500, storageClass: 'gp3', diskType: 'gp3', driver: 'ebs.csi.aws.com' },
    // Its chart has several similar paths, so a user has declared the right one.
    ...helmRelease({
      namespace: 'payments',
      release: 'ledger',
      chart: 'postgresql-16.4.3',
      valuesPath: 'primary.resources',
    }),
    containers: [container('postgres', { cpu: 6000, mib: 49_152 }, { cpu: 700, mib: 11_000 })],
  },
  {
    // Replaced two years ago, but never removed.
    namespace: 'payments',
    name: 'legacy-gateway',
    kind: 'Deployment',
    replicas: 6,
    archetype: { kind: 'idle' },
    labels: { 'app.kubernetes.io/version': '1.4.0' },
    containers: [container('gateway', { cpu: 1000, mib: 2048 }, { cpu: 0.6, mib: 180 })],
  },
  {
    // Two of two must always be available, so their nodes can never be drained.
    namespace: 'payments',
    name: 'vault',
    kind: 'Deployment',
    replicas: 2,
    archetype: { kind: 'steady' },
    pools: ['secure'],
    disruptionBudget: { minAvailable: 2 },
    containers: [container('vault', { cpu: 500, mib: 1024 }, { cpu: 310, mib: 720 }, { limit: { mib: 1536 } })],
  },
  {
    namespace: 'payments',
    name: 'fraud-scorer',
    kind: 'Deployment',
    replicas: 5,
    archetype: { kind: 'crash-loop', secondsToCrash: 25 },
    containers: [container('scorer', { cpu: 500, mib: 768 }, { cpu: 350, mib: 400 })],
  },
]

const platform: WorkloadScenario[] = [
  {
    namespace: 'analytics',
    name: 'nightly-export',
    kind: 'CronJob',
    replicas: 4,
    archetype: { kind: 'batch' },
    pools: ['spot'],
    runs: { everyMinutes: 360, seconds: 2400 },
    containers: [container('export', { cpu: 3000, mib: 4096 }, { cpu: 2600, mib: 3000 })],
  },
  {
    namespace: 'analytics',
    name: 'click-stream',
    kind: 'CronJob',
    replicas: 2,
    archetype: { kind: 'batch' },
    pools: ['spot'],
    runs: { everyMinutes: 15, seconds: 100, keepSeconds: 120, failShare: 0.03 },
    containers: [container('load', { cpu: 1000, mib: 1024 }, { cpu: 850, mib: 600 })],
  },
  {
    namespace: 'analytics',
    name: 'monthly-report',
    kind: 'Deployment',
    replicas: 1,
    archetype: { kind: 'steady' },
    pools: ['reports'],
    safeToEvict: false,
    labels: fluxHelmRelease('reports'),
    containers: [container('report', { cpu: 500, mib: 1024 }, { cpu: 20, mib: 300 })],
  },
  {
    // Fails every night since the bucket was renamed.
    namespace: 'analytics',
    name: 'archive',
    kind: 'CronJob',
    archetype: { kind: 'batch' },
    pools: ['spot'],
    runs: { everyMinutes: 60, seconds: 300, failShare: 1 },
    containers: [container('archive', { cpu: 1000, mib: 1024 }, { cpu: 500, mib: 400 })],
  },
  {
    namespace: 'monitoring',
    name: 'prometheus',
    kind: 'StatefulSet',
    replicas: 2,
    archetype: { kind: 'database' },
    claim: { sizeGib: 200, storageClass: 'gp3', diskType: 'gp3', driver: 'ebs.csi.aws.com' },
    ...helmRelease({ namespace: 'monitoring', release: 'prometheus', chart: 'prometheus-27.3.0', component: 'server' }),
    containers: [container('prometheus', { cpu: 2000, mib: 12_288 }, { cpu: 1100, mib: 9500 }), shipper()],
  },
  {
    namespace: 'ci',
    name: 'runner',
    kind: 'CronJob',
    replicas: 3,
    archetype: { kind: 'batch' },
    runs: { everyMinutes: 20, seconds: 40, keepSeconds: 60 },
    containers: [container('build', { cpu: 1500, mib: 2048 }, { cpu: 1300, mib: 1200 })],
  },
  {
    namespace: 'staging',
    name: 'storefront',
    kind: 'Deployment',
    replicas: 24,
    archetype: { kind: 'idle' },
    containers: [container('web', { cpu: 1000, mib: 1024 }, { cpu: 4, mib: 350 }), proxy()],
  },
]

/** Alternately of the shop and of payments. */
const serviceNames = [
  ...['catalog', 'invoices', 'pricing', 'wallet', 'inventory', 'refunds', 'reviews', 'payouts', 'wishlist'],
  ...['tax', 'shipping', 'disputes', 'returns', 'settlement', 'gift-cards', 'currency', 'newsletter', 'receipts'],
]

const microservices: WorkloadScenario[] = serviceNames.map((name, index) => ({
  namespace: index % 2 === 0 ? 'shop' : 'payments',
  name,
  kind: 'Deployment',
  replicas: 2 + (index % 5),
  archetype: index % 3 === 0 ? { kind: 'jvm' } : { kind: 'web', peakHourUtc: 10 + (index % 8) },
  containers: [
    container(
      'app',
      { cpu: 250 + 125 * (index % 6), mib: 512 + 256 * (index % 4) },
      { cpu: 60 + 17 * index, mib: 380 },
    ),
    ...(index % 2 === 0 ? [proxy()] : []),
  ],
}))

/**
 * A shop on AWS: 24 nodes with a spot pool. Stories: a leak, an abandoned service, a spiky API, an oversized database,
 * a lone pod, and a PodDisruptionBudget that blocks a drain.
 */
export const awsProduction: Scenario = {
  seed: 4207,
  name: 'production',
  clusterUid: '6f1c9a52-5f0e-4d0b-9c1e-0d5a7b1e4207',
  provider: 'aws',
  region: 'eu-west-1',
  kubernetesVersion: 'v1.33.4-eks-d6fa34b',
  pools,
  namespaces: [
    { name: 'kube-system' },
    { name: 'shop', labels: { team: 'storefront', env: 'production' } },
    { name: 'payments', labels: { team: 'payments', env: 'production' } },
    { name: 'analytics', labels: { team: 'data', env: 'production' } },
    { name: 'monitoring', labels: { team: 'platform', env: 'production' } },
    { name: 'ci', labels: { team: 'platform', env: 'build' } },
    {
      name: 'staging',
      labels: { team: 'storefront', env: 'staging' },
      quota: { cpuMillicores: 200_000, memoryMib: 400_000 },
      limitRange: { cpuMillicoresMin: 50, memoryMibMin: 64 },
    },
  ],
  workloads: [...nodeAgents(), dns(), ...shop, ...payments, ...platform, ...microservices],
  volumes: [
    { namespace: 'shop', name: 'old-catalog', sizeGib: 1000, storageClass: 'gp2', driver: 'ebs.csi.aws.com' },
    {
      namespace: 'payments',
      name: 'ledger-before-move',
      sizeGib: 500,
      storageClass: 'gp3',
      driver: 'ebs.csi.aws.com',
      phase: 'released',
      reclaimPolicy: 'Retain',
    },
    {
      // A tenth is used, and the disk type is old and more expensive.
      namespace: 'analytics',
      name: 'report-archive',
      sizeGib: 800,
      usedGib: 75,
      storageClass: 'gp2',
      driver: 'ebs.csi.aws.com',
      workload: 'monthly-report',
    },
    {
      namespace: 'shop',
      name: 'media',
      sizeGib: 300,
      storageClass: 'efs',
      driver: 'efs.csi.aws.com',
      workload: 'image-resizer',
    },
  ],
  balancers: [
    { namespace: 'shop', name: 'storefront', type: 'nlb', workload: 'storefront' },
    { namespace: 'payments', name: 'checkout', type: 'nlb', workload: 'checkout' },
    { namespace: 'payments', name: 'legacy-gateway', type: 'nlb', workload: 'legacy-gateway' },
    { namespace: 'staging', name: 'feature-preview', type: 'nlb' },
  ],
  happenings: [
    { kind: 'rollout', atSecond: 5400, namespace: 'shop', workload: 'storefront' },
    { kind: 'rollout', atSecond: 93_600, namespace: 'payments', workload: 'checkout' },
    { kind: 'replace-node', atSecond: 172_800, pool: 'general' },
    // Happens while the demo runs: the usage of the old image does not apply to the new one.
    { kind: 'rollout', atSecond: 34 * 86_400 + 3600, namespace: 'shop', workload: 'wishlist' },
    { kind: 'resize', atSecond: 259_200, namespace: 'shop', workload: 'cart', container: 'cart', cpuMillicores: 750 },
  ],
  scheduling: 'emptiest',
  churnPerHour: 0.02,
}
