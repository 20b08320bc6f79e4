import type { AllocationStep } from '@plimsoll/contract'
import { dayMs, hourMs, RESOURCES, type Resource } from '@plimsoll/engine'
import { sql, type RawBuilder } from 'kysely'
import { podUseColumns } from '@plimsoll/pipeline/fold'
import type { CoveredHours } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { usd } from '../../platform/db/money.ts'
import type { RowLimit } from './allocation.ts'

const uses = ['request', 'usage', 'alloc', 'known'] as const

export type PodWeight = 'seconds' | `${Resource}_usd` | `${Resource}_${(typeof uses)[number]}`

export type PodDimension = 'node' | 'pod' | 'container'

/** What a pod had of the figures of its workload, in the asked dimensions. An absent value is an empty text. */
export type PodRow = { step: Date | null; namespace: string; kind: string; name: string } & Record<
  PodDimension,
  string
> &
  Record<PodWeight, number>

/** The first hour whose pods are stored. Undefined: there is none. */
export async function findFirstPodHour(tx: Db, clusterId: string): Promise<Date | undefined> {
  const { rows } = await sql<{ first: Date | null }>`
    select least((select min(day) from pod_day where cluster_id = ${clusterId}),
      (select min(hour) from pod_hour where cluster_id = ${clusterId})) as first`.execute(tx)
  return rows[0]?.first ?? undefined
}

type Selection = {
  step: AllocationStep
  dimensions: readonly PodDimension[]
  /** Null: all. */
  namespaces: readonly string[] | null
}

export async function listPodWeights(
  tx: Db,
  cover: CoveredHours,
  { step, dimensions, namespaces }: Selection,
  { rowsReadMax }: RowLimit,
): Promise<PodRow[]> {
  const times = await podTimes(tx, cover)
  const by = (dimension: PodDimension, value: RawBuilder<unknown>) =>
    dimensions.includes(dimension) ? value : sql`''::text`
  const isByContainer = dimensions.includes('container')
  const container = isByContainer ? sql`coalesce(nullif(part.key, '(pod)'), '')` : sql`''::text`
  const parts = isByContainer ? sql`left join lateral jsonb_each(covered.containers) part on true` : sql``
  const shown = namespaces === null ? sql`true` : sql`namespace = any(${namespaces})`
  const { rows } = await sql<PodRow>`
    with price as (${prices(cover.clusterId, times)}), covered as (${podRows(cover.clusterId, times, step)}),
    summed as (
      select covered.step, namespace, workload_kind as kind, workload_name as name, ${by('node', sql`covered.node_uid`)} as node_uid,
        ${by('pod', sql`pod_name`)} as pod, ${container} as container, ${weights(isByContainer)}
      from covered left join price on price.node_uid = covered.node_uid and price.at = covered.at ${parts}
      where ${shown} group by 1, 2, 3, 4, 5, 6, 7)
    select summed.*, coalesce(node.name, summed.node_uid) as node
    from summed left join node on node.cluster_id = ${cover.clusterId} and node.node_uid = summed.node_uid
    limit ${rowsReadMax + 1}::int`.execute(tx)
  return rows
}

type PodTimes = {
  days: readonly Date[]
  hours: readonly Date[]
  /** Hours whose pods are stored as sums of their day only. */
  hoursOfDays: readonly Date[]
}

/** Days and hours are stored in other tables than those of workloads, for other times. */
async function podTimes(tx: Db, { clusterId, days, hours }: CoveredHours): Promise<PodTimes> {
  const { rows } = await sql<{ day: Date }>`
    select day from unnest(${days}::timestamptz[]) day
    where exists (select from pod_day p where p.cluster_id = ${clusterId} and p.day = day.day)`.execute(tx)
  const { rows: first } = await sql<{ hour: Date | null }>`
    select min(hour) as hour from pod_hour where cluster_id = ${clusterId}`.execute(tx)
  const firstHour = first[0]?.hour?.getTime() ?? Number.POSITIVE_INFINITY
  const summed = new Set(rows.map(({ day }) => day.getTime()))
  const others = days.filter((day) => !summed.has(day.getTime())).flatMap(hoursOf)
  return {
    days: days.filter((day) => summed.has(day.getTime())),
    hours: [...hours.filter((hour) => hour.getTime() >= firstHour), ...others],
    hoursOfDays: hours.filter((hour) => hour.getTime() < firstHour),
  }
}

const hoursOf = (day: Date) =>
  Array.from({ length: dayMs / hourMs }, (_each, at) => new Date(day.getTime() + at * hourMs))

const columns = RESOURCES.flatMap((resource) => uses.map((use) => `${resource}_${use}` as const))

/** `share` is the part of the row that belongs to the step. */
function podRows(clusterId: string, { days, hours, hoursOfDays }: PodTimes, step: AllocationStep): RawBuilder<unknown> {
  const own = sql.join(
    ['pod_name', 'namespace', 'workload_kind', 'workload_name', 'node_uid', 'containers', 'seconds', ...columns].map(
      (name) => sql.ref(`p.${name}`),
    ),
  )
  const none = sql`null::timestamptz`
  const ofHour = (hour: RawBuilder<unknown>) => ({ none, hour, day: sql`date_trunc('day', ${hour}, 'UTC')` })[step]
  return sql`
    select ${step === 'none' ? none : sql`day`} as step, day as at, 1::float8 as share, ${own} from pod_day p
    where cluster_id = ${clusterId} and day = any(${days})
    union all
    select ${ofHour(sql`hour`)}, hour, 1, ${own} from pod_hour p where cluster_id = ${clusterId} and hour = any(${hours})
    union all
    select ${ofHour(sql`asked.hour`)}, p.day, 1 / 24.0::float8, ${own}
    from unnest(${hoursOfDays}::timestamptz[]) asked (hour)
    join pod_day p on p.cluster_id = ${clusterId} and p.day = date_trunc('day', asked.hour, 'UTC')`
}

/** What a unit of each resource cost on a node: a pod on a dearer node has a larger part of the cost of its workload. */
function prices(clusterId: string, { days, hours, hoursOfDays }: PodTimes): RawBuilder<unknown> {
  const price = (resource: Resource) =>
    sql`(sum(${usd('capacity', [resource])}) / nullif(sum(${sql.ref(`${resource}_capacity`)}), 0))::float8 as ${sql.ref(resource)}`
  const all = sql.join(RESOURCES.map(price))
  const allDays = [...days, ...hoursOfDays.map((hour) => new Date(Math.floor(hour.getTime() / dayMs) * dayMs))]
  return sql`
    select node_uid, day as at, ${all} from node_day join rate using (rate_id)
    where cluster_id = ${clusterId} and day = any(${allDays}) group by 1, 2
    union all
    select node_uid, hour, ${all} from node_hour join rate using (rate_id)
    where cluster_id = ${clusterId} and hour = any(${hours}) group by 1, 2`
}

/** In the numbers of a container. */
const positionOf = (resource: Resource, use: (typeof uses)[number]) =>
  RESOURCES.indexOf(resource) * podUseColumns.length + podUseColumns.indexOf(use)

function weights(isByContainer: boolean): RawBuilder<unknown> {
  const quantity = (resource: Resource, use: (typeof uses)[number]) => {
    const own = sql.ref(`covered.${resource}_${use}`)
    const position = sql.lit(positionOf(resource, use))
    return sql`covered.share * ${isByContainer ? sql`coalesce((part.value ->> ${position})::float8, ${own})` : own}`
  }
  const sum = (value: RawBuilder<unknown>, name: PodWeight) => sql`sum(${value})::float8 as ${sql.ref(name)}`
  return sql.join([
    sum(sql`covered.share * covered.seconds`, 'seconds'),
    ...RESOURCES.flatMap((resource) => [
      ...uses.map((use) => sum(quantity(resource, use), `${resource}_${use}`)),
      sum(sql`${quantity(resource, 'alloc')} * coalesce(${sql.ref(`price.${resource}`)}, 0)`, `${resource}_usd`),
    ]),
  ])
}
