import type { AllocationStep } from '@plimsoll/contract'
import type { Resource } from '@plimsoll/engine'
import { sql, type RawBuilder } from 'kysely'
import type { CloudResourceOwner } from '@plimsoll/pipeline/fold'
import type { CloudResourceKind } from '@plimsoll/pipeline/prices'
import type { CoveredHours } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { coveredRows, ranInWindow } from './quantities.ts'
import { cloudResourceUsd, isUnpriced, unmeasuredUsd, usd } from '../../platform/db/money.ts'

/** Exact decimals, as text. `idle` is unallocated, and 0 for workloads. */
export type AllocatedCost = {
  step: Date | null
  cpu: string
  memory: string
  gpu: string
  used: string
  unmeasured: string
  idle: string
  estimated: string
  isUnpriced: boolean
}

export type WorkloadAllocation = AllocatedCost & {
  namespace: string | null
  kind: string | null
  name: string | null
  labels: (string | null)[]
  /** With `hasClasses`: the used part of the cost of each resource. */
  usedBy?: Record<Resource, string>
  /** With `hasQuantities`: sums in unit-seconds, as text. */
  quantities?: Record<WorkloadQuantity, string>
}

const quantityUses = ['request', 'usage', 'alloc', 'known'] as const

export type WorkloadQuantity = 'container_seconds' | `${Resource}_${(typeof quantityUses)[number]}`

/** Reads at most one row more than permitted, so that the caller notices. */
const rowLimit = ({ rowsReadMax }: RowLimit) => sql`limit ${rowsReadMax + 1}::int`

export type RowLimit = { rowsReadMax: number }

export type WorkloadSelection = {
  step: AllocationStep
  keys: readonly ('namespace' | 'workload_kind' | 'workload_name')[]
  labelKeys: readonly string[]
  /** Null: all. */
  namespaces: readonly string[] | null
  /** `namespace/kind/name`; null or missing: all. Only with the keys of workloads. */
  workloads?: readonly string[] | null
  /** Whether rows contain quantities beside costs. */
  hasQuantities?: boolean
  /** Whether rows split the cost of each resource into used and unused. */
  hasClasses?: boolean
}

/** At the requested granularity: namespaces alone have their own sums. */
export async function sumAllocation(
  tx: Db,
  cover: CoveredHours,
  selection: WorkloadSelection,
  limit: RowLimit,
): Promise<WorkloadAllocation[]> {
  const { step, keys, labelKeys, namespaces, workloads = null, hasQuantities = false, hasClasses = false } = selection
  const isByNamespace = labelKeys.length === 0 && keys.every((key) => key === 'namespace')
  const columns = isByNamespace ? ['namespace'] : ['namespace', 'workload_kind', 'workload_name', 'labels']
  const key = (name: 'namespace' | 'workload_kind' | 'workload_name') =>
    keys.includes(name) ? sql.ref(name) : sql`null::text`
  const labels = labelKeys.map((label) => sql`labels ->> ${label}`)
  const shown = namespaces === null ? sql`true` : sql`namespace = any(${namespaces})`
  const chosen =
    workloads === null ? sql`true` : sql`concat_ws('/', namespace, workload_kind, workload_name) = any(${workloads})`
  const uses = ['alloc', 'used', 'unmeasured', ...(hasQuantities ? ['request', 'usage', 'known'] : [])]
  const others = hasQuantities ? ['container_seconds'] : []
  const quantities = hasQuantities ? sql`, ${quantityObject}` : sql``
  const classes = hasClasses ? sql`, ${usedObject}` : sql``
  const { rows } = await sql<WorkloadAllocation>`
    with quantity as (
      select step, ${key('namespace')} as namespace, ${key('workload_kind')} as kind, ${key('workload_name')} as name,
        array[${sql.join(labels)}]::text[] as labels, rate_id, ${sums(uses, others)}
      from (${steps(cover, { table: isByNamespace ? 'namespace' : 'workload', step, columns, uses, others })}) covered
      where ${shown} and ${chosen} group by 1, 2, 3, 4, 5, 6 ${isByNamespace || step !== 'none' ? sql`` : ranInWindow(cover)})
    select step, namespace, kind, name, labels, ${costs({ of: 'alloc', idle: sql`0` })}${quantities}${classes}
    from quantity join rate using (rate_id) group by 1, 2, 3, 4, 5 ${rowLimit(limit)}`.execute(tx)
  return rows
}

/** Unallocated capacity. */
export async function sumIdle(tx: Db, cover: CoveredHours, step: AllocationStep): Promise<AllocatedCost[]> {
  const uses = ['capacity', 'alloc']
  const unallocated = ['cpu', 'memory', 'gpu'].map((name) =>
    sql.raw(`sum(${name}_capacity - ${name}_alloc) as ${name}_idle`),
  )
  const { rows } = await sql<AllocatedCost>`
    with quantity as (
      select step, rate_id, ${sql.join(unallocated)}, ${zeros('used')}, ${zeros('unmeasured')}
      from (${steps(cover, { table: 'cluster', step, columns: [], uses })}) covered group by 1, 2)
    select step, ${costs({ of: 'idle', idle: usd('idle') })} from quantity join rate using (rate_id) group by 1`.execute(
    tx,
  )
  return rows
}

export type NodeAllocation = AllocatedCost & { name: string; pool: string }

/** The cost of nodes, including idle. For forgotten nodes the uid replaces the name. */
export async function sumNodeAllocation(
  tx: Db,
  cover: CoveredHours,
  step: AllocationStep,
  limit: RowLimit,
): Promise<NodeAllocation[]> {
  const uses = ['capacity', 'alloc', 'used', 'unmeasured']
  const { rows } = await sql<NodeAllocation>`
    with quantity as (
      select step, node_uid, rate_id, ${sums(uses)}
      from (${steps(cover, { table: 'node', step, columns: ['node_uid'], uses })}) covered group by 1, 2, 3)
    select step, coalesce(n.name, quantity.node_uid) as name, coalesce(n.facts ->> 'pool', '') as pool,
      ${costs({ of: 'capacity', idle: sql`${usd('capacity')} - ${usd('alloc')}` })}
    from quantity join rate using (rate_id)
    left join node n on n.cluster_id = ${cover.clusterId} and n.node_uid = quantity.node_uid
    group by 1, 2, 3 ${rowLimit(limit)}`.execute(tx)
  return rows
}

export type CloudResourceAllocation = {
  step: Date | null
  owner: CloudResourceOwner
  namespace: string | null
  kind: string | null
  name: string | null
  labels: (string | null)[]
  storage: string
  loadBalancer: string
  overhead: string
  estimated: string
  isUnpriced: boolean
  /** KiB-seconds of volumes. */
  volumeUnitSeconds: string
}

/** Volumes, load balancers and the control plane. Costs without an owner are included for any namespaces. */
export async function sumCloudResourceAllocation(
  tx: Db,
  cover: CoveredHours,
  { step, keys, labelKeys, namespaces }: WorkloadSelection,
  limit: RowLimit,
): Promise<CloudResourceAllocation[]> {
  const isByNamespace = labelKeys.length === 0 && keys.every((key) => key === 'namespace')
  const own = isByNamespace ? ['namespace'] : ['namespace', 'workload_kind', 'workload_name', 'labels']
  const key = (name: 'namespace' | 'workload_kind' | 'workload_name') =>
    keys.includes(name) ? sql.ref(name) : sql`null::text`
  const labels = labelKeys.map((label) => sql`labels ->> ${label}`)
  const shown = namespaces === null ? sql`true` : sql`(owner <> 'workload' or namespace = any(${namespaces}))`
  const usdOf = (kind: CloudResourceKind) =>
    sql`coalesce(sum(${cloudResourceUsd}) filter (where asset_kind = ${kind}), 0)`
  const columns = ['kind', 'owner', ...own]
  const table = isByNamespace ? 'asset_namespace' : 'asset'
  const { rows } = await sql<CloudResourceAllocation>`
    with quantity as (
      select step, owner, ${key('namespace')} as namespace, ${key('workload_kind')} as kind,
        ${key('workload_name')} as name, array[${sql.join(labels)}]::text[] as labels, covered.kind as asset_kind, rate_id,
        sum(unit_seconds) as unit_seconds
      from (${stepsOf(cover, table, step, [...columns, 'rate_id', 'unit_seconds'])}) covered
      where ${shown} group by 1, 2, 3, 4, 5, 6, 7, 8)
    select step, owner, namespace, kind, name, labels, ${usdOf('volume')} as storage,
      ${usdOf('balancer')} as "loadBalancer", ${usdOf('control_plane')} as overhead,
      coalesce(sum(unit_seconds) filter (where asset_kind = 'volume'), 0) as "volumeUnitSeconds",
      coalesce(sum(${cloudResourceUsd}) filter (where rate.estimated), 0) as estimated,
      bool_or(unit_seconds > 0 and rate.asset_usd_per_unit_second is null) as "isUnpriced"
    from quantity join rate using (rate_id) group by 1, 2, 3, 4, 5, 6 ${rowLimit(limit)}`.execute(tx)
  return rows
}

function costs({ of, idle }: { of: string; idle: RawBuilder<unknown> }): RawBuilder<unknown> {
  return sql`
    sum(${usd(of, ['cpu'])}) as cpu, sum(${usd(of, ['memory'])}) as memory, sum(${usd(of, ['gpu'])}) as gpu,
    sum(${usd('used')}) as used, sum(${unmeasuredUsd}) as unmeasured, sum(${idle}) as idle,
    coalesce(sum(${usd(of)}) filter (where rate.estimated), 0) as estimated, bool_or(${isUnpriced(of)}) as "isUnpriced"`
}

const columnsOf = (use: string) => ['cpu', 'memory', 'gpu'].map((resource) => `${resource}_${use}`)

const sums = (uses: readonly string[], others: readonly string[] = []) =>
  sql.join([...uses.flatMap(columnsOf), ...others].map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`))

/** Text in JSON, because the sums may exceed a safe JavaScript number. */
const quantityObject = sql`json_build_object(${sql.join(
  ['container_seconds', ...quantityUses.flatMap(columnsOf)].map(
    (name) => sql`${sql.lit(name)}, sum(${sql.ref(name)})::text`,
  ),
)}) as quantities`

const usedObject = sql`json_build_object(${sql.join(
  (['cpu', 'memory', 'gpu'] as const).map((name) => sql`${sql.lit(name)}, sum(${usd('used', [name])})::text`),
)}) as "usedBy"`

const zeros = (use: string) => sql.join(columnsOf(use).map((name) => sql`0 as ${sql.ref(name)}`))

type Steps = {
  table: 'namespace' | 'workload' | 'node' | 'cluster'
  step: AllocationStep
  columns: readonly string[]
  uses: readonly string[]
  others?: readonly string[]
}

function steps(cover: CoveredHours, { table, step, columns, uses, others = [] }: Steps): RawBuilder<unknown> {
  const keys = [...columns, 'rate_id']
  const quantities = ['seconds', ...uses.flatMap(columnsOf), ...others]
  if (step !== 'none') return stepsOf(cover, table, step, [...keys, ...quantities])
  return sql`
    select null::timestamptz as step, covered.* from (${coveredRows(cover, { table, keys, sums: quantities })}) covered`
}

function stepsOf(
  { clusterId, days, hours }: CoveredHours,
  table: string,
  step: AllocationStep,
  columns: readonly string[],
): RawBuilder<unknown> {
  const own = sql.join(columns.map((name) => sql.ref(name)))
  const none = sql`null::timestamptz`
  const ofHours = { none, hour: sql`hour`, day: sql`date_trunc('day', hour, 'UTC')` }
  return sql`
    select ${step === 'none' ? none : sql`day`} as step, ${own} from ${sql.table(`${table}_day`)}
    where cluster_id = ${clusterId} and day = any(${days})
    union all
    select ${ofHours[step]} as step, ${own} from ${sql.table(`${table}_hour`)}
    where cluster_id = ${clusterId} and hour = any(${hours})`
}
