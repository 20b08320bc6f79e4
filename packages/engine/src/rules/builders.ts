import { FACTS, type ClusterFacts, type ContainerFacts, type FactName, type WorkloadFacts } from './cluster-facts.ts'
import { NO_EVIDENCE } from './finding.ts'
import { NO_POLICIES } from './policy.ts'
import type { Rule } from './rule.ts'
import { runRules } from './run-rules.ts'

/** For tests: a valid default, so that a test states only what it is about. */
export const NOW = 1_800_000_000
export const HOUR = 3600
export const DAY = 24 * HOUR

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
  oomKills: 0,
  ...over,
})

export const aUsage = (over: Partial<NonNullable<ContainerFacts['usage']>> = {}) => ({
  historyDays: 14,
  coverage: 1,
  memoryMaxKib: 500 * 1024,
  evidence: NO_EVIDENCE,
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
  managedBy: null,
  disruptionsAllowed: null,
  limits: null,
  ...over,
})

export const someFacts = (over: Partial<ClusterFacts> = {}): ClusterFacts => ({
  observedAt: NOW,
  costUsdPerMonth: 1000,
  known: new Set(Object.keys(FACTS) as FactName[]),
  workloads: [],
  volumes: [],
  balancers: [],
  policies: NO_POLICIES,
  ...over,
})

/** What one rule says under all guards; a line for each, so that a test can be read. */
export function sayOf(rule: Rule, facts: ClusterFacts) {
  const { findings, withheld } = runRules([rule], facts)
  return { findings, withheld, reasons: withheld.map(({ reason }) => reason) }
}
