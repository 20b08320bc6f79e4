import { type ClassRate, type PriceEvidence, sourceOf } from '@plimsoll/pipeline/prices'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { updateRateIds, type RateIds } from './rates.ts'

export type NodeClassRow = { classKey: string; nodes: number; lastSeenAt: Date }

/** Current classes, and classes that stored hours may contain. */
export async function listNodeClasses(db: Db, clusterId: string, seenSince: Date): Promise<NodeClassRow[]> {
  const { rows } = await sql<NodeClassRow>`
    select class_key as "classKey", nodes, last_seen_at as "lastSeenAt" from node_class
    where cluster_id = ${clusterId} and (nodes > 0 or last_seen_at >= ${seenSince})
    order by nodes desc, class_key`.execute(db)
  return rows
}

export type SeenClass = {
  classKey: string
  nodes: number
  rateId: string | undefined
  /** For serverless pods. */
  cpuUnits?: number | null
  memoryUnits?: number | null
}

/** Replaces the current classes; a class that is gone keeps its last time. */
export async function writeNodeClasses(
  tx: Db,
  clusterId: string,
  seen: readonly SeenClass[],
  observedAt: Date,
): Promise<void> {
  const keys = seen.map(({ classKey }) => classKey)
  await sql`
    update node_class set nodes = 0, cpu_units = 0 * cpu_units, memory_units = 0 * memory_units
    where cluster_id = ${clusterId} and nodes > 0 and not class_key = any(${keys})`.execute(tx)
  await upsert(
    tx,
    clusterId,
    seen.map((each) => ({ ...each, seenAt: observedAt })),
    sql`nodes = excluded.nodes, rate_id = excluded.rate_id,
      cpu_units = excluded.cpu_units, memory_units = excluded.memory_units,`,
  )
}

/** A class, and the newest written hour that has it. */
export type NotedClass = { classKey: string; rateId: string; hour: Date }

/** Classes of written hours: their nodes may have existed only between two snapshots. */
export async function noteNodeClasses(tx: Db, clusterId: string, noted: readonly NotedClass[]): Promise<void> {
  const none = noted.map(({ classKey, rateId, hour }) => ({ classKey, rateId, nodes: 0, seenAt: hour }))
  await upsert(tx, clusterId, none, sql``)
}

async function upsert(
  tx: Db,
  clusterId: string,
  seen: readonly (SeenClass & { seenAt: Date })[],
  changes: ReturnType<typeof sql>,
): Promise<void> {
  await sql`
    insert into node_class (cluster_id, class_key, nodes, rate_id, last_seen_at, cpu_units, memory_units)
    select ${clusterId}, "classKey", nodes, "rateId", "seenAt", "cpuUnits", "memoryUnits"
    from jsonb_to_recordset(${JSON.stringify(seen)}::jsonb)
      as record ("classKey" text, nodes integer, "rateId" bigint, "seenAt" timestamptz, "cpuUnits" numeric, "memoryUnits" numeric)
    on conflict (cluster_id, class_key) do update set ${changes}
      last_seen_at = greatest(node_class.last_seen_at, excluded.last_seen_at)`.execute(tx)
}

export async function updateNodeClassRates(tx: Db, clusterId: string, rateIds: RateIds): Promise<void> {
  await updateRateIds(tx, { table: 'node_class', clusterId, rateIds })
}

export async function loadClassRates(db: Db, clusterId: string): Promise<Map<string, ClassRate>> {
  const { rows } = await sql<Omit<ClassRate, 'source' | 'asOf'> & { classKey: string; evidence: PriceEvidence }>`
    select c.class_key as "classKey", r.rate_id as "rateId", r.node_usd_per_hour::float8 as "nodeUsdPerHour",
      r.cpu_usd_per_microcore_second::float8 as "cpuUsd", r.memory_usd_per_kib_second::float8 as "memoryUsd",
      r.gpu_usd_per_part_second::float8 as "gpuUsd", r.estimated, r.evidence
    from node_class c join rate r using (rate_id) where c.cluster_id = ${clusterId} and c.nodes > 0`.execute(db)
  return new Map(
    rows.map(({ classKey, evidence, ...rate }) => {
      const { source, as_of: asOf } = sourceOf(evidence)
      return [classKey, { ...rate, source, asOf }]
    }),
  )
}
