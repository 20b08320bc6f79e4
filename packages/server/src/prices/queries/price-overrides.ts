import { decimal } from '@plimsoll/engine'
import { sql, type Selectable } from 'kysely'
import type { OverrideTerm, PriceTerms } from '@plimsoll/pipeline/prices'
import type { Db } from '../../platform/db/database.ts'
import { listPriceBooks } from './price-books.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type StoredOverride = Selectable<Tables['price_override']>
export type PriceOverrideRow = Omit<StoredOverride, 'position'>

/** An override that ended before it began was deleted: it never applied and is not shown. */
const selectOverrides = (db: Db) =>
  db
    .selectFrom('price_override')
    .selectAll()
    .where((eb) => eb.or([eb('effective_until', 'is', null), eb('effective_until', '>', eb.ref('effective_from'))]))

export async function loadPriceTerms(db: Db, clusterId: string): Promise<PriceTerms> {
  const rows = await selectOverrides(db)
    .where((eb) => eb.or([eb('cluster_id', 'is', null), eb('cluster_id', '=', clusterId)]))
    .execute()
  return { books: await listPriceBooks(db), overrides: rows.map(termOf) }
}

export type PriceOverridePage = {
  /** The clusters that a role is restricted to. */
  visible: readonly string[] | null
  /** Overrides that apply to this cluster. */
  clusterId: string | undefined
  /** Without overrides that have ended by then. */
  endedBy: Date | undefined
  /** The position of the last row of the previous page. */
  after: string | undefined
  limit: number
}

/** Newest first; overrides for every cluster are visible to all callers. */
export function listPriceOverrides(
  db: Db,
  { visible, clusterId, endedBy, after, limit }: PriceOverridePage,
): Promise<StoredOverride[]> {
  let query = selectOverrides(db).orderBy('position', 'desc').limit(limit)
  if (visible !== null)
    query = query.where((eb) =>
      eb.or([eb('cluster_id', 'is', null), eb('cluster_id', '=', sql<string>`any(${visible})`)]),
    )
  if (clusterId !== undefined)
    query = query.where((eb) => eb.or([eb('cluster_id', 'is', null), eb('cluster_id', '=', clusterId)]))
  if (endedBy !== undefined)
    query = query.where((eb) => eb.or([eb('effective_until', 'is', null), eb('effective_until', '>', endedBy)]))
  if (after !== undefined) query = query.where('position', '<', Number(after))
  return query.execute()
}

export function lockPriceOverride(tx: Db, overrideId: string): Promise<PriceOverrideRow | undefined> {
  return selectOverrides(tx).where('override_id', '=', overrideId).forUpdate().executeTakeFirst()
}

export async function insertPriceOverride(tx: Db, row: PriceOverrideRow): Promise<void> {
  await tx.insertInto('price_override').values(row).execute()
}

export async function endPriceOverride(tx: Db, overrideId: string, effectiveUntil: Date): Promise<void> {
  await tx
    .updateTable('price_override')
    .set({ effective_until: effectiveUntil })
    .where('override_id', '=', overrideId)
    .execute()
}

function termOf(row: StoredOverride): OverrideTerm {
  const term = {
    id: row.override_id,
    clusterId: row.cluster_id,
    effectiveFrom: row.effective_from,
    effectiveUntil: row.effective_until,
    position: Number(row.position),
  }
  if (row.kind === 'node_price') {
    const { provider, region, instance_type: instanceType, capacity_type: capacityType, os } = row
    const named = { provider, region, instanceType: instanceType ?? '', capacityType, os: os ?? 'linux' }
    return { ...term, kind: row.kind, ...named, usdPerHour: decimal(row.usd_per_hour ?? '') }
  }
  if (row.kind === 'discount')
    return { ...term, kind: row.kind, provider: row.provider ?? '', percent: decimal(row.percent ?? '') }
  return {
    ...term,
    kind: row.kind,
    ...(row.usd_per_vcpu_month === null ? {} : { cpu: decimal(row.usd_per_vcpu_month) }),
    ...(row.usd_per_gib_month === null ? {} : { memory: decimal(row.usd_per_gib_month) }),
    ...(row.usd_per_gpu_month === null ? {} : { gpu: decimal(row.usd_per_gpu_month) }),
    ...(row.usd_per_storage_gib_month === null ? {} : { storage: decimal(row.usd_per_storage_gib_month) }),
  }
}
