import type { FactName, UsageSource } from './cluster-facts.ts'

const METRICS =
  'Configure a metrics source: install metrics-server, or set kubelet.enabled=true or prometheusUrl in the agent chart values.'
const KUBELET = 'Set kubelet.enabled=true in the agent chart values. This grants get on nodes/metrics and nodes/stats.'
const NODE_PRICES = 'Set a price override for the node class; Settings → Prices lists classes without a price.'
const PRICES = 'Set a price override; Settings → Prices lists the missing prices.'
const SNAPSHOT = 'Wait for the first report of the agent.'

const rightTo = (kinds: string) =>
  `Allow the agent to list and watch ${kinds}: install the ClusterRole of the current chart. A condition of the cluster names missing permissions.`

/** How to supply each fact, for the message about a missing fact. */
const FACT_SOURCES: Readonly<Record<FactName, string>> = {
  pods: SNAPSHOT,
  pod_phases: SNAPSHOT,
  nodes: SNAPSHOT,
  volumes: SNAPSHOT,
  balancers: SNAPSHOT,
  kubernetes_version: SNAPSHOT,
  prices: NODE_PRICES,
  storage_prices: PRICES,
  balancer_prices: PRICES,
  spot_prices: 'The price list needs spot prices for these instance types; Settings → Prices lists the missing prices.',
  usage: METRICS,
  rightsizing: METRICS,
  oom_kills: METRICS,
  throttling: `metrics-server does not report throttling. ${KUBELET} Or set prometheusUrl.`,
  volume_use: KUBELET,
  heaps:
    'Set readHeaps=true in the agent chart values (PLIMSOLL_READ_HEAPS=1), or annotate the workload with plimsoll.dev/jvm-heap.',
  autoscalers: rightTo('horizontalpodautoscalers'),
  controllers: rightTo('deployments, statefulsets, daemonsets and cronjobs'),
  quotas: rightTo('resourcequotas and limitranges'),
  placement: rightTo('poddisruptionbudgets'),
  node_blockers: rightTo('poddisruptionbudgets'),
  node_types: rightTo('poddisruptionbudgets'),
}

const CADVISOR =
  'Only containers with a CPU limit are throttled. The agent reads /metrics/cadvisor of each node every ten minutes and needs get on nodes/metrics.'

/** If the source is already configured and lacks this fact. */
const REPORTED_BY: Readonly<Record<UsageSource, Partial<Record<FactName, string>>>> = {
  kubelet: {
    ...notYet('The kubelet'),
    throttling: `The kubelets report usage, but not yet throttling. ${CADVISOR}`,
    volume_use:
      'The kubelets report usage, but not yet the used size of volumes. They report claims that a running pod mounts, if the volume driver supports it. The agent needs get on nodes/stats for /stats/summary.',
  },
  prometheus: {
    ...notYet('Prometheus'),
    throttling:
      'Prometheus reports usage, but not yet throttling. It needs container_cpu_cfs_periods_total and container_cpu_cfs_throttled_periods_total, which exist for containers with a CPU limit.',
    volume_use: `Prometheus reports usage; the used size of volumes comes from the kubelets. ${KUBELET}`,
  },
  'metrics-server': notYet('metrics-server'),
  none: {},
}

function notYet(source: string): Partial<Record<FactName, string>> {
  const words = `${source} reports usage. Wait for the first full hour.`
  return { usage: words, rightsizing: words, oom_kills: words }
}

/** How to supply the missing facts with the usage source of the cluster; each way once. */
export const howToKnow = (missing: readonly FactName[], source: UsageSource): string =>
  [...new Set(missing.map((fact) => REPORTED_BY[source][fact] ?? FACT_SOURCES[fact]))].join(' ')
