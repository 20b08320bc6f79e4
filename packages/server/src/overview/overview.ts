import { costParts, type Mover, type Overview, type OverviewCluster } from '@plimsoll/contract'
import { decimal, HOURS_PER_MONTH, roundToNumber, type Decimal, dayMs } from '@plimsoll/engine'
import { type ClusterRow, presentCluster } from '../clusters/index.ts'
import { startOfDay } from '../ingest/index.ts'
import { isComparable, moversMax, totalOf, trendDays, type ClusterPast, type MonthlyCosts } from './overview-cluster.ts'

export type KnownCluster = { row: ClusterRow; past: ClusterPast | undefined }

type RunRatePart = 'monthly_cost' | 'monthly_compute' | 'monthly_storage' | 'monthly_load_balancer' | 'monthly_overhead'

type Figures = Omit<Overview, 'recommendations' | 'as_of' | 'currency'>

/** The total cost of the clusters, its parts, and its changes. */
export function presentOverview(clusters: readonly KnownCluster[], now: Date): Figures {
  const pasts = clusters.flatMap(({ past }) => past ?? [])
  const sum = (of: (costs: MonthlyCosts) => Decimal) => pasts.reduce((total, past) => total + of(past.now), 0n)
  const rate = (part: RunRatePart) =>
    roundToNumber(clusters.reduce((total, { row }) => total + decimal(String(row[part])), 0n))
  return {
    clusters: clusters
      .map((cluster) => presentOne(cluster, now))
      .sort((a, b) => b.monthly_cost - a.monthly_cost || a.name.localeCompare(b.name)),
    run_rate: {
      total: rate('monthly_cost'),
      compute: rate('monthly_compute'),
      storage: rate('monthly_storage'),
      load_balancer: rate('monthly_load_balancer'),
      overhead: rate('monthly_overhead'),
      unpriced_parts: costParts.filter((part) => pasts.some(({ unpricedParts }) => unpricedParts.includes(part))),
    },
    compute: presentClasses({
      used: sum(({ used }) => used),
      unmeasured: sum(({ unmeasured }) => unmeasured),
      alloc: sum(({ alloc }) => alloc),
      capacity: sum(({ capacity }) => capacity),
    }),
    trend: presentTrend(clusters, now),
    ...presentWeek(pasts),
    not_compared: clusters.filter(isNotCompared).map(({ row }) => row.cluster_id),
  }
}

type Compute = Pick<MonthlyCosts, 'used' | 'unmeasured' | 'alloc' | 'capacity'>

const nothing: Compute = { used: 0n, unmeasured: 0n, alloc: 0n, capacity: 0n }

const presentClasses = ({ used, unmeasured, alloc, capacity }: Compute) => ({
  workload: roundToNumber(used),
  workload_idle: roundToNumber(alloc - used),
  cluster_idle: roundToNumber(capacity - alloc),
  unmeasured: roundToNumber(unmeasured),
  total: roundToNumber(capacity),
})

/** The overview requires access to whole clusters. */
const wholeCluster = { namespaces: null }

function presentOne({ row, past }: KnownCluster, now: Date): OverviewCluster {
  const { id, name, provider, region, status, conditions, agent } = presentCluster(row, wholeCluster, now)
  return {
    id,
    name,
    provider,
    region,
    status,
    node_count: row.node_count,
    monthly_cost: Number(row.monthly_cost),
    compute: presentClasses(past?.now ?? nothing),
    hours: past?.hours.now ?? 0,
    usage_coverage: past?.coverage ?? null,
    last_seen_at: agent.last_seen_at,
    conditions: conditions.filter(({ type, ok }) => !ok || type === 'usage'),
  }
}

/** Each cluster at the mean of its known hours: a gap is neither savings nor a cost. */
function presentTrend(clusters: readonly KnownCluster[], now: Date): Overview['trend'] {
  const pasts = clusters.flatMap(({ past }) => past ?? [])
  const joinedOn = joinsByDay(clusters)
  const today = startOfDay(now).getTime()
  return Array.from({ length: trendDays + 1 }, (_each, index) => {
    const at = today - (trendDays - index) * dayMs
    const known = pasts.flatMap(({ days }) => days.find(({ day }) => day.getTime() === at) ?? [])
    const total = known.reduce(
      (sum, { usd, hours }) => sum + (decimal(usd) * BigInt(HOURS_PER_MONTH)) / BigInt(hours),
      0n,
    )
    return {
      from: new Date(at).toISOString(),
      hours: known.reduce((sum, { hours }) => sum + hours, 0),
      total: known.length === 0 ? null : roundToNumber(total),
      joined: joinedOn.get(at) ?? [],
    }
  })
}

/** Where the line rises because a cluster joined. The first cluster starts the line and does not join. */
function joinsByDay(clusters: readonly KnownCluster[]): Map<number, string[]> {
  const firstDays = clusters.flatMap(({ row, past }) =>
    past ? [{ id: row.cluster_id, at: startOfDay(past.first).getTime() }] : [],
  )
  const beginning = Math.min(...firstDays.map(({ at }) => at))
  const joins = new Map<number, string[]>()
  for (const { id, at } of firstDays) if (at > beginning) joins.set(at, [...(joins.get(at) ?? []), id])
  return joins
}

/** The cluster has a cost, but no week to compare with. */
const isNotCompared = ({ row, past }: KnownCluster) =>
  Number(row.monthly_cost) > 0 && !(past && isComparable(past.hours))

function presentWeek(pasts: readonly ClusterPast[]): Pick<Overview, 'week' | 'movers' | 'other_change'> {
  const comparable = pasts.filter(({ hours }) => isComparable(hours))
  const sum = (of: (past: ClusterPast) => MonthlyCosts) =>
    comparable.reduce((total, past) => total + totalOf(of(past)), 0n)
  const before = sum((past) => past.before)
  const now = sum((past) => past.now)
  const movers = largest(comparable.flatMap((past) => past.movers))
  const named = movers.reduce((total, { change }) => total + decimal(String(change)), 0n)
  return {
    week: comparable.length === 0 ? null : { before: roundToNumber(before), now: roundToNumber(now) },
    movers,
    other_change: roundToNumber(now - before - named),
  }
}

/** A change below one dollar a month is not listed; it is part of the rest. */
const changeMin = 1

const largest = (movers: readonly Mover[]): Mover[] =>
  movers
    .filter(({ change }) => Math.abs(change) >= changeMin)
    .sort((a, b) => Math.abs(b.change) - Math.abs(a.change))
    .slice(0, moversMax)
