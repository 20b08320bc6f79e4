import { choice, fields, flag, kinds, list, maybeText, number, text, texts, whole, type Known } from './checks.ts'

const share = number({ min: 0, max: 1 })
const size = { cpuMillicores: whole({ min: 1 }), memoryMib: whole({ min: 1 }) }

const pool = fields(
  {
    name: text,
    instanceType: maybeText,
    count: whole({ max: 100_000 }),
    zones: list(maybeText),
    capacityType: choice('on-demand', 'spot', ''),
    /** Total and allocatable resources of a node. */
    capacity: fields(size, {}),
    allocatable: fields(size, {}),
    podsMax: whole({ min: 1 }),
  },
  {
    os: choice('linux', 'windows'),
    arch: choice('amd64', 'arm64'),
    /** `replicas`: the number of time slices of each GPU. */
    gpu: fields({ resource: text, product: maybeText, count: whole({ min: 1 }) }, { replicas: whole({ min: 1 }) }),
    labels: texts,
    /** Adds nodes for pending pods, and removes nodes after ten empty minutes. */
    autoscaling: fields({ min: whole(), max: whole() }, { scaler: choice('cluster-autoscaler', 'karpenter') }),
    /** Tainted: accepts only the workloads that name the pool, and DaemonSets. */
    dedicated: flag,
    /** How often a spot node is interrupted and replaced. */
    interruptionsPerNodeDay: number({ min: 0, max: 100 }),
  },
)

const container = fields(
  {
    name: text,
    /** The usage at a load of 1. */
    uses: fields({ cpuMillicores: number({ min: 0, max: 1e6 }), memoryMib: number({ min: 0, max: 1e7 }) }, {}),
  },
  {
    /** `sidecar` is a native sidecar. Default `app`. */
    kind: choice('app', 'init', 'sidecar'),
    request: fields({}, { cpuMillicores: whole(), memoryMib: whole(), gpus: whole() }),
    limit: fields({}, { cpuMillicores: whole(), memoryMib: whole() }),
    /** The runtime of an init container. Default 5. */
    seconds: whole({ min: 1, max: 3600 }),
  },
)

/** How the load of a workload and the memory of its containers change over time. */
const archetype = kinds({
  /** Follows the day, with less load at weekends. `swing` 0.6: from 0.4 at night to 1.6 at the peak. */
  web: fields({}, { peakHourUtc: number({ min: 0, max: 24 }), swing: share }),
  /** Low, with short peaks of `factor` times the load. */
  spiky: fields({}, { spikesPerDay: number({ min: 0, max: 200 }), factor: number({ min: 1, max: 100 }) }),
  /** Constant load from start to end. */
  batch: fields({}, {}),
  /** Memory grows until the container is OOM-killed at its limit. */
  leak: fields({ memoryMibPerHour: number({ min: 0.1, max: 1e6 }) }, {}),
  /** The heap fills up and is collected; the start uses much CPU. */
  jvm: fields({}, {}),
  /** The cache fills the memory and stays. */
  database: fields({}, {}),
  training: fields({}, {}),
  /** No requests arrive any more. */
  idle: fields({}, {}),
  /** Crashes some seconds after each start, with a growing back-off. */
  'crash-loop': fields({}, { secondsToCrash: whole({ min: 1, max: 600 }) }),
  steady: fields({}, {}),
})

const workload = fields(
  {
    namespace: text,
    name: text,
    kind: choice('Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'),
    archetype,
    containers: list(container),
  },
  {
    /** Default 1; for Jobs the pods of one run; not for DaemonSets. */
    replicas: whole({ max: 1_000_000 }),
    labels: texts,
    annotations: texts,
    /**
     * Scheduling constraints of the pods. They are sent as in a real pod. The simulated scheduler ignores them, so pods
     * may be on nodes that a real scheduler would not select.
     */
    spreadOverZones: flag,
    onePerNode: flag,
    localStorage: flag,
    safeToEvict: flag,
    doNotDisrupt: flag,
    /** A PodDisruptionBudget with this minimum. */
    disruptionBudget: fields({ minAvailable: whole() }, {}),
    /** A VerticalPodAutoscaler in this mode. */
    verticalAutoscaler: text,
    /** The allowed pools. Default: all pools that are not dedicated. */
    pools: list(text),
    /** Replicas follow the load; `replicas` is the number at a load of 1. */
    autoscaler: fields(
      { replicasMin: whole({ min: 1 }), replicasMax: whole({ min: 1 }), targetPercent: whole({ min: 1, max: 100 }) },
      {},
    ),
    /** For Jobs and CronJobs. A Job runs once, at `atSecond` after the start of the world. */
    runs: fields(
      { seconds: whole({ min: 1 }) },
      { everyMinutes: whole({ min: 1 }), atSecond: whole(), keepSeconds: whole(), failShare: share },
    ),
    /** For StatefulSets: a volume per replica. */
    claim: fields({ sizeGib: whole({ min: 1 }), storageClass: maybeText, driver: maybeText }, { diskType: text }),
  },
)

const volume = fields(
  { namespace: text, name: text, sizeGib: whole({ min: 1 }), storageClass: maybeText, driver: maybeText },
  {
    /** All pods of this workload mount the volume; without a workload it is unattached. */
    workload: text,
    zone: text,
    /** The disk type of the storage class, such as gp3. */
    diskType: text,
    phase: choice('bound', 'available', 'released'),
    reclaimPolicy: choice('Delete', 'Retain'),
    usedGib: whole(),
  },
)

const namespace = fields(
  { name: text },
  {
    labels: texts,
    quota: fields({ cpuMillicores: whole(), memoryMib: whole() }, {}),
    /** The minimum requests of a container. */
    limitRange: fields({ cpuMillicoresMin: whole(), memoryMibMin: whole() }, {}),
  },
)

const balancer = fields({ namespace: text, name: text }, { type: maybeText, workload: text })

/** One-time events, at a number of seconds after the start of the world. */
const happening = kinds({
  rollout: fields({ atSecond: whole(), namespace: text, workload: text }, {}),
  /** In-place resize: the pods stay. `cpuMillicores` and `memoryMib` are the new requests. */
  resize: fields(
    { atSecond: whole(), namespace: text, workload: text, container: text },
    { cpuMillicores: whole(), memoryMib: whole() },
  ),
  scale: fields({ atSecond: whole(), namespace: text, workload: text, replicas: whole() }, {}),
  /** Both remove the oldest node of the pool: one with a drain, the other with two minutes of notice. */
  'replace-node': fields({ atSecond: whole(), pool: text }, {}),
  'interrupt-node': fields({ atSecond: whole(), pool: text }, {}),
  /** Removes a node for good: the named one, or the one with the most free capacity. */
  'remove-node': fields({ atSecond: whole(), pool: text }, { node: text }),
})

export const scenario = fields(
  {
    seed: whole({ max: 2 ** 32 - 1 }),
    name: text,
    /** The uid of the kube-system namespace. */
    clusterUid: text,
    provider: choice('aws', 'gcp', 'azure', 'on-prem'),
    region: maybeText,
    kubernetesVersion: text,
    pools: list(pool),
    namespaces: list(namespace),
    workloads: list(workload),
  },
  {
    /**
     * `first-fit` selects the first node with enough capacity, which is the default and fast at any size. `emptiest`
     * selects the node with the most free CPU, as Kubernetes does by default.
     */
    scheduling: choice('first-fit', 'emptiest'),
    usageSource: choice('kubelet', 'metrics-server', 'prometheus', 'none'),
    volumes: list(volume),
    balancers: list(balancer),
    happenings: list(happening),
    /** The share of the pods of Deployments and StatefulSets that is replaced per hour. */
    churnPerHour: number({ min: 0, max: 10 }),
  },
)

export type Scenario = Known<typeof scenario>
export type PoolScenario = Known<typeof pool>
export type WorkloadScenario = Known<typeof workload>
export type ContainerScenario = Known<typeof container>
export type Archetype = Known<typeof archetype>
export type VolumeScenario = Known<typeof volume>
export type BalancerScenario = Known<typeof balancer>
export type Happening = Known<typeof happening>
