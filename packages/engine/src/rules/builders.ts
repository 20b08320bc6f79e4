import { CPU_SCALE, CPU_UNITS_PER_MILLICORE } from '../rightsizing/histogram.ts'
import { histogramOf, NO_START_UP } from '../rightsizing/builders.ts'
import {
  FACTS,
  type ClusterFacts,
  type ContainerFacts,
  type FactName,
  type SizeDecision,
  type UsageFacts,
  type VolumeFacts,
  type WorkloadFacts,
} from './facts/cluster-facts.ts'
import {
  NO_PLACEMENT,
  type CheaperSet,
  type CronJobFacts,
  type NamespaceFacts,
  type NodeFacts,
  type PoolFacts,
} from './facts/object-facts.ts'
import type { Policies } from './facts/policy.ts'
import type { Rule } from './rule.ts'
import { runRules, weighFindings, type Analysis } from './evaluate.ts'

/** For tests: valid defaults, so that a test states only the relevant values. */
export const NOW = 1_800_000_000
export const HOUR = 3600
export const DAY = 24 * HOUR

/** Runs every rule and weighs the findings. The same facts always give the same result. */
export const evaluateRules = (rules: readonly Rule[], facts: ClusterFacts): Analysis =>
  weighFindings(runRules(rules, facts), facts)

export const NO_POLICIES: Policies = { cluster: {}, byNamespace: new Map() }

/** $0.02 a millicore and $0.000004 a KiB a month: a core is $20, a GiB about $4.19. */
const price = { cpuUsdPerMillicoreMonth: 0.02, memoryUsdPerKibMonth: 0.000004, rows: [] }

export const aContainer = (over: Partial<ContainerFacts> = {}): ContainerFacts => ({
  name: 'app',
  kind: 'app',
  cpuRequestMillicores: 1000,
  memoryRequestKib: 1024 * 1024,
  cpuLimitMillicores: null,
  memoryLimitKib: 2 * 1024 * 1024,
  usage: null,
  decision: null,
  standing: null,
  oomKills: 0,
  throttling: null,
  heapMaxKib: null,
  imageChangedAt: null,
  managedBy: null,
  ...over,
})

/** 20 millicores in nine of ten minutes, else 100; half a GiB of memory, every day of two weeks. */
export const aUsage = (over: Partial<UsageFacts> = {}): UsageFacts => ({
  window: { from: NOW - 14 * DAY, to: NOW },
  historyDays: 20,
  coverage: 1,
  sampleCount: 40_000,
  cpu: someCpu([...Array.from({ length: 9 }, () => 20), 100]),
  memory: someMemory(500 * 1024),
  memoryMaxKib: 500 * 1024,
  earlier: { cpuUnits: 0, memoryKib: 0 },
  restarts: 0,
  startUp: NO_START_UP,
  runs: 0,
  replicasMean: 2,
  ...over,
})

/** Millicores of some minutes, repeated over two weeks. */
export const someCpu = (millicores: readonly number[]): UsageFacts['cpu'] => ({
  histogram: histogramOf(
    CPU_SCALE,
    millicores.map((each) => each * CPU_UNITS_PER_MILLICORE),
  ),
  minutes: 14 * 24 * 60,
})

export const someMemory = (kib: number): UsageFacts['memory'] => ({
  days: Int32Array.from({ length: 14 }, (_, index) => NOW / DAY - 14 + index),
  max: new Float64Array(14).fill(kib),
  typical: new Float64Array(14).fill(kib),
})

/** A size in millicores and KiB, as right-sizing returns it. */
export const aSize = (millicores: number, kib: number): SizeDecision => ({
  cpu: aCpuSize({
    units: millicores * CPU_UNITS_PER_MILLICORE,
    krr95Units: millicores * CPU_UNITS_PER_MILLICORE,
    krr99Units: millicores * CPU_UNITS_PER_MILLICORE,
  }),
  memory: aMemorySize({ kib }),
  rehearsed: { kind: 'unknown', reason: 'too_few_rounds', rounds: 0 },
})

type CpuSize = Extract<SizeDecision['cpu'], { kind: 'request' }>
type MemorySize = Extract<SizeDecision['memory'], { kind: 'request' }>

export const aCpuSize = (over: Partial<CpuSize>): CpuSize => ({
  kind: 'request',
  units: 1000,
  isStanding: false,
  meanUnits: 280,
  vpaUnits: 1500,
  krr95Units: 1000,
  krr99Units: 1000,
  replicaFactor: 1,
  shortShare: 0,
  risk: 'low',
  startUpPeak: false,
  ...over,
})

export const aMemorySize = (over: Partial<MemorySize>): MemorySize => ({
  kind: 'request',
  kib: 600 * 1024,
  peakKib: 500 * 1024,
  krrKib: 575 * 1024,
  vpaKib: 575 * 1024,
  because: 'rule',
  shortDays: 0,
  knownDays: 14,
  risk: 'low',
  ...over,
})

export const aWorkload = (over: Partial<WorkloadFacts> = {}): WorkloadFacts => ({
  namespace: 'shop',
  kind: 'Deployment',
  name: 'web',
  podName: 'web-0',
  replicas: 2,
  labels: { team: 'red' },
  annotations: {},
  containers: [aContainer()],
  stuckPods: [],
  price,
  autoscaler: null,
  disruptionsAllowed: null,
  limits: null,
  placement: NO_PLACEMENT,
  admittingCapacity: null,
  gpu: null,
  ...over,
})

/** An m5.xlarge for $100 a month, a week old, in a pool that Karpenter scales. */
export const aNode = (over: Partial<NodeFacts> = {}): NodeFacts => ({
  name: 'node-1',
  pool: 'general',
  instanceType: 'm5.xlarge',
  isSpot: false,
  bornAt: NOW - 7 * DAY,
  usdPerMonth: 100,
  fate: null,
  blocker: null,
  successor: null,
  ...over,
})

/** The nodes of aPool. */
export const fourNodes = (over: Partial<NodeFacts> = {}): NodeFacts[] =>
  [1, 2, 3, 4].map((number) => aNode({ name: `node-${number}`, ...over }))

/** Four nodes of 4 cores and 16 GiB for $400, half of everything requested, a twentieth of it by DaemonSets. */
export const aPool = (over: Partial<PoolFacts> = {}): PoolFacts => ({
  name: 'general',
  nodes: 4,
  usdPerMonth: 400,
  scaler: 'karpenter',
  allocatable: { cpuMillicores: 16_000, memoryKib: 64 * 1024 * 1024 },
  requested: { cpuMillicores: 8000, memoryKib: 32 * 1024 * 1024 },
  daemons: { cpuMillicores: 800, memoryKib: 3 * 1024 * 1024 },
  price: { cpuUsdPerMillicoreMonth: 0.0125, memoryUsdPerKibMonth: 200 / (64 * 1024 * 1024) },
  cheaperSet: null,
  ...over,
})

export const aVolume = (over: Partial<VolumeFacts> = {}): VolumeFacts => ({
  name: 'pv-1',
  namespace: 'shop',
  claim: 'data',
  phase: 'bound',
  sizeKib: 100 * 1024 * 1024,
  storageClass: 'gp3',
  unmountedSince: null,
  usdPerMonth: 10,
  reclaimPolicy: 'Retain',
  usedKib: null,
  cheaper: null,
  ...over,
})

/** Runs every hour, has failed five times, and costs $12 a month. */
export const aCronJob = (over: Partial<CronJobFacts> = {}): CronJobFacts => ({
  namespace: 'shop',
  name: 'export',
  labels: {},
  podLabels: {},
  annotations: {},
  schedule: '0 * * * *',
  isSuspended: false,
  failuresInARow: 5,
  lastSuccessAt: NOW - 3 * DAY,
  usdPerMonth: 12,
  managedBy: new Map(),
  ...over,
})

export const aNamespace = (over: Partial<NamespaceFacts> = {}): NamespaceFacts => ({
  name: 'shop',
  labels: {},
  pods: 2,
  cloudResources: 0,
  cloudResourcesUsdPerMonth: 0,
  unusedSince: null,
  quotas: [],
  rhythm: null,
  requestUsdPerMonth: null,
  ...over,
})

export const someFacts = (over: Partial<ClusterFacts> = {}): ClusterFacts => ({
  observedAt: NOW,
  costUsdPerMonth: 1000,
  known: new Set(Object.keys(FACTS) as FactName[]),
  usageSource: 'metrics-server',
  workloads: [],
  volumes: [],
  balancers: [],
  nodes: [],
  hoursKnown: 168,
  pools: [],
  namespaces: [],
  cronJobs: [],
  controlPlane: null,
  largestNode: null,
  policies: NO_POLICIES,
  ...over,
})

/** For a pool of $400 a month. */
export const aCheaperSet = (over: Partial<CheaperSet> = {}): CheaperSet => ({
  usdPerMonth: 250,
  boundUsdPerMonth: 240,
  machines: [{ type: 'm6i.large', count: 2 }],
  swappedUsdPerMonth: 0,
  headroomPercent: 10,
  daysOfPeak: 31,
  ...over,
})

/** The result of one rule under all guards, one line each, so that a test is readable. */
export function evaluateRule(rule: Rule, facts: ClusterFacts) {
  const { findings, withheld } = evaluateRules([rule], facts)
  return { findings, withheld, reasons: withheld.map(({ reason }) => reason) }
}
