import {
  NO_PLACEMENT,
  targetKey,
  type ClusterFacts,
  type ContainerFacts,
  type WorkloadFacts,
  type WorkloadPrice,
} from '@plimsoll/engine/rules'
import type { JobContainer } from './usage-reader.ts'

const key = ({ kind, namespace, name }: Pick<WorkloadFacts, 'kind' | 'namespace' | 'name'>) =>
  targetKey({ kind, namespace, name, container: '' })

/** A job between two runs has no pod but still exists. Its nodes are gone, so the mean price of all nodes applies. */
export function withJobs(facts: ClusterFacts, containers: readonly JobContainer[]): ClusterFacts {
  const seen = new Set(facts.workloads.map(key))
  const price = meanPrice(facts.workloads)
  const labelsOf = new Map(facts.namespaces.map(({ name, labels }) => [name, labels]))
  const managers = new Map(facts.cronJobs.map((each) => [key({ kind: 'CronJob', ...each }), each.managedBy]))
  const jobs = new Map<string, WorkloadFacts>()
  for (const stored of containers) {
    const job = jobOf(stored, price, labelsOf.get(stored.namespace) ?? {})
    const before = jobs.get(key(job)) ?? job
    const container = containerOf(stored, managers.get(key(job))?.get(stored.container) ?? null)
    if (!seen.has(key(job))) jobs.set(key(job), { ...before, containers: [...before.containers, container] })
  }
  return { ...facts, workloads: [...facts.workloads, ...jobs.values()] }
}

/** Only the labels of its namespace are known. */
const jobOf = (stored: JobContainer, price: WorkloadPrice | null, labels: WorkloadFacts['labels']): WorkloadFacts => ({
  namespace: stored.namespace,
  kind: stored.workload_kind,
  name: stored.workload_name,
  podName: '',
  replicas: 0,
  labels,
  annotations: {},
  containers: [],
  stuckPods: [],
  price,
  autoscaler: null,
  disruptionsAllowed: null,
  limits: null,
  placement: NO_PLACEMENT,
  admittingCapacity: null,
  gpu: null,
})

const containerOf = (stored: JobContainer, managedBy: string | null): ContainerFacts => ({
  name: stored.container,
  kind: stored.container_kind ?? 'app',
  cpuRequestMillicores: numberOf(stored.cpu_request),
  memoryRequestKib: numberOf(stored.memory_request),
  cpuLimitMillicores: numberOf(stored.cpu_limit),
  memoryLimitKib: numberOf(stored.memory_limit),
  usage: null,
  decision: null,
  standing: null,
  oomKills: 0,
  throttling: null,
  heapMaxKib: null,
  imageChangedAt: null,
  managedBy,
})

const numberOf = (text: string | null) => (text === null ? null : Number(text))

function meanPrice(workloads: readonly WorkloadFacts[]): WorkloadPrice | null {
  const prices = workloads.flatMap(({ price, replicas }) => (price ? [{ price, replicas }] : []))
  const pods = prices.reduce((sum, { replicas }) => sum + replicas, 0)
  if (pods === 0) return null
  const mean = (of: 'cpuUsdPerMillicoreMonth' | 'memoryUsdPerKibMonth') =>
    prices.reduce((sum, { price, replicas }) => sum + price[of] * replicas, 0) / pods
  const rows = new Map(prices.flatMap(({ price }) => price.rows.map((row) => [row.rateId, row] as const)))
  return {
    cpuUsdPerMillicoreMonth: mean('cpuUsdPerMillicoreMonth'),
    memoryUsdPerKibMonth: mean('memoryUsdPerKibMonth'),
    rows: [...rows.values()],
  }
}
