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
    /** What the machine has, and what is left for pods. */
    capacity: fields(size, {}),
    allocatable: fields(size, {}),
    podsMax: whole({ min: 1 }),
  },
  {
    os: choice('linux', 'windows'),
    arch: choice('amd64', 'arm64'),
    /** `replicas`: into how many time slices each of the GPUs is cut. */
    gpu: fields({ resource: text, product: maybeText, count: whole({ min: 1 }) }, { replicas: whole({ min: 1 }) }),
    labels: texts,
    /** Nodes come for pods that find no room and go when they have been empty for ten minutes. */
    autoscaling: fields({ min: whole(), max: whole() }, { scaler: choice('cluster-autoscaler', 'karpenter') }),
    /** Tainted: takes only the workloads that name it, and DaemonSets. */
    dedicated: flag,
    /** How often a spot node is taken away; another one comes instead. */
    interruptionsPerNodeDay: number({ min: 0, max: 100 }),
  },
)

const container = fields(
  {
    name: text,
    /** What it uses at a load of 1. */
    uses: fields({ cpuMillicores: number({ min: 0, max: 1e6 }), memoryMib: number({ min: 0, max: 1e7 }) }, {}),
  },
  {
    /** `sidecar` is a native one: an init container that stays. Default `app`. */
    kind: choice('app', 'init', 'sidecar'),
    request: fields({}, { cpuMillicores: whole(), memoryMib: whole(), gpus: whole() }),
    limit: fields({}, { cpuMillicores: whole(), memoryMib: whole() }),
    /** How long an init container runs. Default 5. */
    seconds: whole({ min: 1, max: 3600 }),
  },
)

/** How the load of a workload, and the memory of its containers, moves in time. */
const archetype = kinds({
  /** Follows the day; less at weekends. `swing` 0.6: from 0.4 at night to 1.6 at the peak. */
  web: fields({}, { peakHourUtc: number({ min: 0, max: 24 }), swing: share }),
  /** Low, with short peaks of `factor` times the load. */
  spiky: fields({}, { spikesPerDay: number({ min: 0, max: 200 }), factor: number({ min: 1, max: 100 }) }),
  /** At work from start to end. */
  batch: fields({}, {}),
  /** Memory grows until the kernel kills the container at its limit. */
  leak: fields({ memoryMibPerHour: number({ min: 0.1, max: 1e6 }) }, {}),
  /** The heap fills up and is collected; the start is expensive. */
  jvm: fields({}, {}),
  /** The cache fills the memory and stays. */
  database: fields({}, {}),
  training: fields({}, {}),
  /** Nobody calls it any more. */
  idle: fields({}, {}),
  /** Dies some seconds after each start and waits longer each time. */
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
    /** Default 1; of Jobs the pods of one run; not for DaemonSets. */
    replicas: whole({ max: 1_000_000 }),
    labels: texts,
    annotations: texts,
    /**
     * What its pods demand and forbid. It is told as a real pod would; this world's own scheduler goes by room alone, so such
     * pods may stand where a real one would not have put them.
     */
    spreadOverZones: flag,
    onePerNode: flag,
    localStorage: flag,
    safeToEvict: flag,
    doNotDisrupt: flag,
    /** A disruption budget that wants so many pods to be there. */
    disruptionBudget: fields({ minAvailable: whole() }, {}),
    /** A VerticalPodAutoscaler in this mode. */
    verticalAutoscaler: text,
    /** Pools on which it may run. Default: all that are not dedicated. */
    pools: list(text),
    /** Replicas follow the load; `replicas` is what a load of 1 is made of. */
    autoscaler: fields(
      { replicasMin: whole({ min: 1 }), replicasMax: whole({ min: 1 }), targetPercent: whole({ min: 1, max: 100 }) },
      {},
    ),
    /** Of Jobs and CronJobs. A Job runs once, at `atSecond` after the start of the world. */
    runs: fields(
      { seconds: whole({ min: 1 }) },
      { everyMinutes: whole({ min: 1 }), atSecond: whole(), keepSeconds: whole(), failShare: share },
    ),
    /** Of StatefulSets: a volume for each replica. */
    claim: fields({ sizeGib: whole({ min: 1 }), storageClass: maybeText, driver: maybeText }, { diskType: text }),
  },
)

const volume = fields(
  { namespace: text, name: text, sizeGib: whole({ min: 1 }), storageClass: maybeText, driver: maybeText },
  {
    /** All pods of this workload mount it; without one it is paid for and mounted by nobody. */
    workload: text,
    zone: text,
    /** What its class makes disks of, such as gp3. */
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
    /** What a container must ask for at least. */
    limitRange: fields({ cpuMillicoresMin: whole(), memoryMibMin: whole() }, {}),
  },
)

const balancer = fields({ namespace: text, name: text }, { type: maybeText, workload: text })

/** Things that happen once, so many seconds after the start of the world. */
const happening = kinds({
  rollout: fields({ atSecond: whole(), namespace: text, workload: text }, {}),
  /** In place: the pods stay. `cpuMillicores` and `memoryMib` are the new requests. */
  resize: fields(
    { atSecond: whole(), namespace: text, workload: text, container: text },
    { cpuMillicores: whole(), memoryMib: whole() },
  ),
  scale: fields({ atSecond: whole(), namespace: text, workload: text, replicas: whole() }, {}),
  /** Both take the oldest node of the pool: one in peace, the other with two minutes of notice. */
  'replace-node': fields({ atSecond: whole(), pool: text }, {}),
  'interrupt-node': fields({ atSecond: whole(), pool: text }, {}),
  /** The one with the most room goes for good. */
  'remove-node': fields({ atSecond: whole(), pool: text }, {}),
})

export const scenario = fields(
  {
    seed: whole({ max: 2 ** 32 - 1 }),
    name: text,
    /** uid of the kube-system namespace. */
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
     * Where a pod goes: to the first node that has room (default, and fast at any size), or to the one with the most CPU
     * free, as Kubernetes does unless told otherwise.
     */
    scheduling: choice('first-fit', 'emptiest'),
    usageSource: choice('kubelet', 'metrics-server', 'prometheus', 'none'),
    volumes: list(volume),
    balancers: list(balancer),
    happenings: list(happening),
    /** Share of the pods of Deployments and StatefulSets that is deleted and made anew in an hour. */
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
