import type { FactName, UsageSource } from './cluster-facts.ts'

const METRICS =
  'Give the agent a source of use: metrics-server in the cluster, kubelet.enabled=true or prometheusUrl in the values of its chart.'
const KUBELET =
  'Set kubelet.enabled=true in the values of the agent’s chart: it adds get on nodes/metrics and nodes/stats.'
const NODE_PRICES = 'Set a price for its class of nodes; Settings → Prices shows those without one.'
const PRICES = 'Set a price for it with a price override; Settings → Prices shows what has one.'
const PICTURE = 'It is known with the first report of the agent.'

const rightTo = (kinds: string) =>
  `Let the agent list and watch ${kinds}: install the ClusterRole of its present chart. A condition of the cluster says what it may not read.`

/** How each fact that rules need comes to be known, for whoever reads that it is not. */
const FACT_SOURCES: Readonly<Record<FactName, string>> = {
  pods: PICTURE,
  pod_phases: PICTURE,
  nodes: PICTURE,
  volumes: PICTURE,
  balancers: PICTURE,
  kubernetes_version: PICTURE,
  prices: NODE_PRICES,
  storage_prices: PRICES,
  balancer_prices: PRICES,
  spot_prices: 'The price book has to know spot prices of these machines; Settings → Prices shows what it knows.',
  usage: METRICS,
  rightsizing: METRICS,
  oom_kills: METRICS,
  throttling: `metrics-server does not know it. ${KUBELET} Or name a Prometheus with prometheusUrl.`,
  volume_use: KUBELET,
  heaps:
    'Set readHeaps=true in the values of the agent’s chart (PLIMSOLL_READ_HEAPS=1), or write plimsoll.dev/jvm-heap on the workload.',
  autoscalers: rightTo('horizontalpodautoscalers'),
  controllers: rightTo('deployments, statefulsets, daemonsets and cronjobs'),
  quotas: rightTo('resourcequotas and limitranges'),
  placement: rightTo('poddisruptionbudgets'),
  node_blockers: rightTo('poddisruptionbudgets'),
  node_types: rightTo('poddisruptionbudgets'),
}

const CADVISOR =
  'It is counted for containers with a CPU limit alone; where there are some, the agent needs get on nodes/metrics for /metrics/cadvisor, which it asks each node for every ten minutes.'

/** Where the source is there already: what it tells this fact by, since asking for the source would be no remedy. */
const TOLD_BY: Readonly<Record<UsageSource, Partial<Record<FactName, string>>>> = {
  kubelet: {
    ...notYet('the kubelets'),
    throttling: `Use is measured by the kubelets, and none of them has told it yet. ${CADVISOR}`,
    volume_use:
      'Use is measured by the kubelets, and none of them has told it yet. They tell it of claims that a running pod mounts, where the driver of the volume counts it; the agent needs get on nodes/stats for /stats/summary.',
  },
  prometheus: {
    ...notYet('Prometheus'),
    throttling:
      'Use is measured by Prometheus, which has not told it yet. It has to have container_cpu_cfs_periods_total and container_cpu_cfs_throttled_periods_total; both exist for containers with a CPU limit alone.',
    volume_use: `Use is measured by Prometheus; how full volumes are is read from kubelets. ${KUBELET}`,
  },
  'metrics-server': notYet('metrics-server'),
  none: {},
}

function notYet(source: string): Partial<Record<FactName, string>> {
  const words = `Use is measured by ${source}; it is known with the first full hour of it.`
  return { usage: words, rightsizing: words, oom_kills: words }
}

/** What would let a rule speak that lacks these, in a cluster whose use is measured so; each way once. */
export const howToKnow = (missing: readonly FactName[], source: UsageSource): string =>
  [...new Set(missing.map((fact) => TOLD_BY[source][fact] ?? FACT_SOURCES[fact]))].join(' ')
