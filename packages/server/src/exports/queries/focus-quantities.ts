import { RESOURCES, type Resource } from '@plimsoll/engine'
import type { Unowned } from '@plimsoll/engine/allocation'
import { sql, type RawBuilder } from 'kysely'
import type { CloudResourceKind } from '@plimsoll/pipeline/prices'
import type { Db } from '../../platform/db/database.ts'

/** The stored rows of one period of a cluster: one day, or its single hours. */
export type PeriodHours = { clusterId: string; day: Date | null; hours: readonly Date[] }

export type FocusLevel = 'namespace' | 'workload' | 'pod'

type Use = 'alloc' | 'request' | 'used'

/** Integers, as text: they may exceed a safe JavaScript number. */
export type ShareRow = {
  namespace: string
  kind: string | null
  name: string | null
  pod: string | null
  nodeUid: string | null
  labels: (string | null)[]
  rateId: string
} & Record<`${Resource}_${Use}`, string>

export type IdleRow = { nodeUid: string | null; rateId: string } & Record<
  `${Resource}_capacity` | `${Resource}_alloc`,
  string
>

export type CloudResourceShareRow = {
  resource: CloudResourceKind
  owner: 'workload' | Unowned
  uid: string | null
  resourceName: string | null
  namespace: string | null
  kind: string | null
  name: string | null
  labels: (string | null)[]
  rateId: string
  unitSeconds: string
}

const rowsAtOnce = 5_000
const uses: readonly Use[] = ['alloc', 'request', 'used']
const usesOf = (names: readonly string[]) => RESOURCES.flatMap((resource) => names.map((use) => `${resource}_${use}`))
const refs = (names: readonly string[]) => sql.join(names.map((name) => sql.ref(name)))
const sums = (names: readonly string[]) => sql.join(names.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))
const labelArray = (keys: readonly string[]) =>
  sql`array[${sql.join(keys.map((key) => sql`labels ->> ${key}`))}]::text[]`

function stored(
  { clusterId, day, hours }: PeriodHours,
  table: string,
  columns: readonly string[],
): RawBuilder<unknown> {
  return day === null
    ? sql`select ${refs(columns)} from ${sql.table(`${table}_hour`)} where cluster_id = ${clusterId} and hour = any(${hours})`
    : sql`select ${refs(columns)} from ${sql.table(`${table}_day`)} where cluster_id = ${clusterId} and day = ${day}`
}

/** The quantities of namespaces or workloads, by class of nodes. */
export function readShares(
  tx: Db,
  period: PeriodHours,
  { level, labelKeys }: { level: FocusLevel; labelKeys: readonly string[] },
): AsyncGenerator<ShareRow[]> {
  if (level === 'pod') return readPodShares(tx, period)
  const isWhole = level === 'namespace' && labelKeys.length === 0
  const keys = ['namespace', ...(level === 'namespace' ? [] : ['workload_kind', 'workload_name'])]
  const columns = [...keys, ...(isWhole ? [] : ['labels']), 'rate_id', ...usesOf(uses)]
  const owner =
    level === 'namespace'
      ? sql`null::text as kind, null::text as name`
      : sql`workload_kind as kind, workload_name as name`
  const labels = isWhole ? sql`'{}'::text[]` : labelArray(labelKeys)
  return readInParts(
    tx,
    sql`select namespace, ${owner}, null::text as pod, null::text as "nodeUid", ${labels} as labels,
      rate_id as "rateId", ${sums(usesOf(uses))}
    from (${stored(period, isWhole ? 'namespace' : 'workload', columns)}) stored
    group by 1, 2, 3, labels, rate_id order by rate_id`,
  )
}

/**
 * The quantities of pods, by node. A node that had several rates in an hour divides its pods by the capacity that it had at
 * each of them.
 */
function readPodShares(tx: Db, { clusterId, hours }: PeriodHours): AsyncGenerator<ShareRow[]> {
  const part = (name: string) => {
    const [resource] = name.split('_')
    const capacity = sql.ref(`n.${resource}_capacity`)
    const whole = sql.ref(`n.${resource}_whole`)
    return sql`sum(case when n.rates = 1 then ${sql.ref(`p.${name}`)} else coalesce(trunc(${sql.ref(`p.${name}`)} * ${capacity} / nullif(${whole}, 0)), 0) end) as ${sql.ref(name)}`
  }
  const capacities = usesOf(['capacity'])
  return readInParts(
    tx,
    sql`with held as (
      select hour, node_uid, rate_id, ${sums(capacities)} from node_hour
      where cluster_id = ${clusterId} and hour = any(${hours}) group by 1, 2, 3),
    nodes as (
      select *, count(*) over at_hour as rates, ${sql.join(RESOURCES.map((resource) => sql`sum(${sql.ref(`${resource}_capacity`)}) over at_hour as ${sql.ref(`${resource}_whole`)}`))}
      from held window at_hour as (partition by hour, node_uid))
    select p.namespace, p.workload_kind as kind, p.workload_name as name, p.pod_name as pod, p.node_uid as "nodeUid",
      '{}'::text[] as labels, n.rate_id as "rateId", ${sql.join(usesOf(uses).map(part))}
    from pod_hour p join nodes n on n.hour = p.hour and n.node_uid = p.node_uid
    where p.cluster_id = ${clusterId} and p.hour = any(${hours})
    group by 1, 2, 3, 4, 5, p.pod_uid, n.rate_id order by p.node_uid, n.rate_id`,
  )
}

/** The capacity of classes of nodes, or of single nodes, and the part of it that is allocated. */
export async function listCapacities(
  tx: Db,
  period: PeriodHours,
  { isByNode }: { isByNode: boolean },
): Promise<IdleRow[]> {
  const table = isByNode ? 'node' : 'cluster'
  const key = isByNode ? sql`node_uid` : sql`null::text`
  const columns = [...(isByNode ? ['node_uid'] : []), 'rate_id', ...usesOf(['capacity', 'alloc'])]
  const { rows } = await sql<IdleRow>`
    select ${key} as "nodeUid", rate_id as "rateId", ${sums(usesOf(['capacity', 'alloc']))}
    from (${stored(period, table, columns)}) stored group by 1, 2 order by 1, 2`.execute(tx)
  return rows
}

/** Volumes, load balancers and control planes by class, or one by one. */
export function readCloudResourceShares(
  tx: Db,
  period: PeriodHours,
  { level, labelKeys }: { level: FocusLevel; labelKeys: readonly string[] },
): AsyncGenerator<CloudResourceShareRow[]> {
  const isWhole = level === 'namespace' && labelKeys.length === 0
  const isSingle = level === 'pod'
  const columns = [
    ...['kind', 'owner', 'namespace', 'rate_id', 'unit_seconds'],
    ...(isWhole ? [] : ['workload_kind', 'workload_name', 'labels']),
    ...(isSingle ? ['asset_uid'] : []),
  ]
  const owned = (name: string) => sql`case when stored.owner = 'workload' then ${sql.ref(`stored.${name}`)} end`
  const workload =
    level === 'namespace'
      ? sql`null::text as kind, null::text as name`
      : sql`${owned('workload_kind')} as kind, ${owned('workload_name')} as name`
  const uid = isSingle
    ? sql`stored.asset_uid as uid, max(a.name) as "resourceName"`
    : sql`null::text as uid, null::text as "resourceName"`
  const join = isSingle
    ? sql`left join asset a on a.cluster_id = ${period.clusterId} and a.asset_uid = stored.asset_uid`
    : sql``
  const labels = isWhole
    ? sql`'{}'::text[]`
    : sql`case when stored.owner = 'workload' then ${labelArray(labelKeys)} else '{}'::text[] end`
  return readInParts(
    tx,
    sql`select stored.kind as resource, stored.owner, ${owned('namespace')} as namespace, ${workload}, ${labels} as labels,
      ${uid}, rate_id as "rateId", sum(unit_seconds) as "unitSeconds"
    from (${stored(period, isWhole ? 'asset_namespace' : 'asset', columns)}) stored ${join}
    group by 1, 2, 3, 4, 5, 6, 7, rate_id order by rate_id, 7, 1`,
  )
}

/** A cursor: a period of a large cluster has more rows than should be in memory at once. */
async function* readInParts<Row>(tx: Db, query: RawBuilder<unknown>): AsyncGenerator<Row[]> {
  await sql`declare part no scroll cursor for ${query}`.execute(tx)
  try {
    for (;;) {
      const { rows } = await sql<Row>`fetch ${sql.lit(rowsAtOnce)} from part`.execute(tx)
      if (rows.length > 0) yield rows
      if (rows.length < rowsAtOnce) return
    }
  } finally {
    await sql`close part`.execute(tx)
  }
}
