import type { NodeState, NodeVerdict } from '@plimsoll/contract'
import type { Amounts } from '@plimsoll/engine'
import { sql, type RawBuilder } from 'kysely'
import { type NodeRecord, versionAt } from '@plimsoll/pipeline/fold'
import type { Db } from '../../platform/db/database.ts'

/** The facts of a node at its last report. */
export type NodeFacts = {
  provider_id: string
  instance_type: string
  region: string
  zone: string
  capacity_type: string
  os: string
  arch: string
  pool: string
  gpu_product: string
  pods_allocatable: number
  /** Its price class. */
  class_key: string
  /** Microcores, KiB and parts of a GPU. */
  capacity: Amounts
  allocatable: Amounts
}

/**
 * Most reports change nothing, and then nothing is written. A snapshot ends the nodes that it does not list; the history
 * may know the earlier time of the end.
 */
export async function writeNodes(tx: Db, clusterId: string, nodes: readonly NodeRecord[]): Promise<void> {
  const records = nodes.flatMap(nodeRecord)
  if (records.length === 0) return
  await sql`
    insert into node (cluster_id, node_uid, name, facts, first_seen_at, ended_at)
    select ${clusterId}, uid, name, facts, to_timestamp(born_at), to_timestamp(ended_at)
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      as record (uid text, name text, facts jsonb, born_at float8, ended_at float8)
    on conflict (cluster_id, node_uid) do update set
      name = excluded.name, facts = excluded.facts, first_seen_at = excluded.first_seen_at, ended_at = ${earlierEnd}
    where (node.name, node.facts, node.first_seen_at, node.ended_at)
      is distinct from (excluded.name, excluded.facts, excluded.first_seen_at, ${earlierEnd})`.execute(tx)
}

const earlierEnd = sql`
  case when excluded.ended_at is not null then least(excluded.ended_at, node.backfilled_end_at) end`

/**
 * Nodes from backfill. A node with live data keeps its facts; any other node ends with its backfill, until more
 * arrives.
 */
export async function writeBackfilledNodes(
  tx: Db,
  clusterId: string,
  nodes: readonly NodeRecord[],
  backfilledUntil: number,
): Promise<void> {
  const records = nodes
    .flatMap(nodeRecord)
    .map((node) => ({ ...node, ended_at: node.ended_at ?? backfilledUntil, end_at: node.ended_at }))
  if (records.length === 0) return
  await sql`
    insert into node (cluster_id, node_uid, name, facts, first_seen_at, ended_at, backfilled_end_at)
    select ${clusterId}, uid, name, facts, to_timestamp(born_at), to_timestamp(ended_at), to_timestamp(end_at)
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb)
      as record (uid text, name text, facts jsonb, born_at float8, ended_at float8, end_at float8)
    on conflict (cluster_id, node_uid) do update set
      first_seen_at = least(node.first_seen_at, excluded.first_seen_at),
      backfilled_end_at = coalesce(excluded.backfilled_end_at, node.backfilled_end_at),
      ended_at = case when node.ended_at is not null
        then coalesce(excluded.backfilled_end_at, greatest(node.ended_at, excluded.ended_at)) end`.execute(tx)
}

function nodeRecord({ uid, versions, bornAt, endedAt }: NodeRecord) {
  const newest = versionAt(versions, Number.POSITIVE_INFINITY)
  if (!newest) return []
  const { facts, class: priced } = newest
  const remembered: NodeFacts = {
    provider_id: facts.providerId,
    instance_type: facts.instanceType,
    region: facts.region,
    zone: facts.zone,
    capacity_type: facts.capacityType,
    os: facts.os,
    arch: facts.arch,
    pool: facts.pool,
    gpu_product: facts.gpuProduct,
    pods_allocatable: facts.podsAllocatable,
    class_key: priced.key,
    capacity: priced.capacity,
    allocatable: priced.allocatable,
  }
  const end = Number.isFinite(endedAt) ? endedAt : null
  return [{ uid, name: facts.name, facts: remembered, born_at: bornAt, ended_at: end }]
}

export type KnownNode = { uid: string; name: string; pool: string; podsAllocatable: number; endedAt: Date | null }

export async function listKnownNodes(db: Db, clusterId: string, uids: readonly string[]): Promise<KnownNode[]> {
  const { rows } = await sql<KnownNode>`
    select node_uid as uid, name, facts ->> 'pool' as pool, (facts ->> 'pods_allocatable')::int as "podsAllocatable",
      ended_at as "endedAt"
    from node where cluster_id = ${clusterId} and node_uid = any(${uids})`.execute(db)
  return rows
}

export type NodeRow = {
  uid: string
  name: string
  facts: NodeFacts
  firstSeenAt: Date
  endedAt: Date | null
  usdPerHour: string | null
  estimated: boolean | null
  evidence: Record<string, unknown> | null
  verdict: NodeVerdict | null
}

export type NodePage = {
  from: Date
  to: Date
  /** Undefined: both. */
  state: NodeState | undefined
  after: { name: string; uid: string } | undefined
  limit: number
}

const endOf: Record<NodeState, RawBuilder<unknown>> = {
  existing: sql`n.ended_at is null`,
  ended: sql`n.ended_at is not null`,
}

/** Nodes that existed in the window, with the current price of their class. */
export async function listNodes(db: Db, clusterId: string, page: NodePage): Promise<NodeRow[]> {
  const { from, to, state, after, limit } = page
  const next = after === undefined ? sql`true` : sql`(n.name, n.node_uid) > (${after.name}, ${after.uid})`
  const { rows } = await sql<NodeRow>`
    select n.node_uid as uid, n.name, n.facts, n.first_seen_at as "firstSeenAt", n.ended_at as "endedAt",
      round(r.node_usd_per_hour, 6) as "usdPerHour", r.estimated, r.evidence,
      case when n.ended_at is null then v.verdict end as verdict
    from node n
    left join node_class c on c.cluster_id = n.cluster_id and c.class_key = n.facts ->> 'class_key'
    left join rate r on r.rate_id = c.rate_id
    left join node_verdict v on v.cluster_id = n.cluster_id and v.node_uid = n.node_uid
    where n.cluster_id = ${clusterId} and n.first_seen_at < ${to} and (n.ended_at is null or n.ended_at > ${from})
      and ${next} and ${state === undefined ? sql`true` : endOf[state]}
    order by n.name, n.node_uid limit ${limit}`.execute(db)
  return rows
}
