import { HOURS_PER_MONTH, hourMs } from '@plimsoll/engine'
import type { AlertCondition } from '../alerts/index.ts'
import type { ClusterFigures } from './queries/cluster-figures.ts'

export type WatchedCluster = { clusterId: string; name: string; figures: ClusterFigures }

/** Older data says nothing about the cluster now, so its alerts stay as they are. */
const freshMs = 3 * hourMs

export const isFresh = ({ newest }: Pick<ClusterFigures, 'newest'>, now: Date): boolean =>
  newest !== null && now.getTime() - newest.getTime() <= freshMs

type About = { title: string; value: string; label: string; usdPerMonth?: number }

function condition(cluster: WatchedCluster, isTrue: boolean | null, about: About): AlertCondition {
  const { clusterId, name } = cluster
  return {
    entity: clusterId,
    isTrue,
    clusterId,
    namespace: null,
    content: {
      severity: 'warning',
      title: about.title,
      facts: [
        { label: 'Cluster', value: name },
        { label: about.label, value: about.value },
      ],
      money:
        about.usdPerMonth === undefined
          ? null
          : { label: about.label, amount: about.usdPerMonth, currency: 'USD', per: 'month' },
      links: [{ label: 'Open the cluster', url: `/clusters/${clusterId}` }],
    },
  }
}

const percentText = (share: number) => `${Math.round(share * 1000) / 10} %`

/** The unallocated share of seven days, and its cost a month. */
export function idleCondition(
  cluster: WatchedCluster,
  limits: { idle_percent: number; idle_usd_per_month: number },
  now: Date,
): AlertCondition {
  const { capacityUsd, unallocatedUsd, hours } = cluster.figures
  const share = capacityUsd > 0 ? unallocatedUsd / capacityUsd : 0
  const usdPerMonth = hours > 0 ? (unallocatedUsd / hours) * HOURS_PER_MONTH : 0
  const isAbove = share * 100 > limits.idle_percent && usdPerMonth > limits.idle_usd_per_month
  return condition(cluster, isFresh(cluster.figures, now) ? isAbove : null, {
    title: `${percentText(share)} of the compute cost of cluster ${cluster.name} is unallocated`,
    label: 'Unallocated',
    value: `${percentText(share)} over 7 days`,
    usdPerMonth,
  })
}

/** The share of node time without a price. */
export function unpricedCondition(
  cluster: WatchedCluster,
  limits: { unpriced_percent: number },
  now: Date,
): AlertCondition {
  const { unpricedShare } = cluster.figures
  const isKnown = unpricedShare !== null && isFresh(cluster.figures, now)
  return condition(cluster, isKnown ? unpricedShare * 100 > limits.unpriced_percent : null, {
    title: `${percentText(unpricedShare ?? 0)} of the node time of cluster ${cluster.name} is not priced`,
    label: 'Not priced',
    value: `${percentText(unpricedShare ?? 0)} of the last 24 hours`,
  })
}

export function coverageCondition(
  cluster: WatchedCluster,
  limits: { coverage_percent: number },
  now: Date,
): AlertCondition {
  const { coverage } = cluster.figures
  const isKnown = coverage !== null && isFresh(cluster.figures, now)
  return condition(cluster, isKnown ? coverage * 100 < limits.coverage_percent : null, {
    title: `Usage coverage of cluster ${cluster.name} is ${percentText(coverage ?? 0)}`,
    label: 'Usage coverage',
    value: `${percentText(coverage ?? 0)} of the last 24 hours`,
  })
}

export type UnownedNamespace = { namespace: string; usdPerMonth: number }

export const unownedCondition = (
  { clusterId, name }: WatchedCluster,
  { namespace, usdPerMonth }: UnownedNamespace,
  limits: { unowned_usd_per_month: number },
): AlertCondition => ({
  entity: `${clusterId}/${namespace}`,
  isTrue: usdPerMonth > limits.unowned_usd_per_month,
  clusterId,
  namespace,
  content: {
    severity: 'info',
    title: `Namespace ${namespace} of cluster ${name} has no team`,
    facts: [
      { label: 'Cluster', value: name },
      { label: 'Namespace', value: namespace },
    ],
    money: { label: 'Cost without a team', amount: usdPerMonth, currency: 'USD', per: 'month' },
    links: [{ label: 'Open the allocation', url: `/allocation?cluster=${clusterId}` }],
  },
})
