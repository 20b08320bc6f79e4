import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/**
 * Renews the lease of a replica and lists the other living ones. The database clock decides, so the clocks of replicas
 * may differ.
 */
export async function renewLease(db: Db, holder: string, leaseSeconds: number): Promise<string[]> {
  const { rows } = await sql<{ holder: string }>`
    with renewed as (
      insert into fold_lease (holder, until) values (${holder}, now() + make_interval(secs => ${leaseSeconds}))
      on conflict (holder) do update set until = excluded.until)
    select holder from fold_lease where until > now() and holder <> ${holder} order by holder`.execute(db)
  return rows.map((row) => row.holder)
}

export async function deleteEndedLeases(db: Db): Promise<void> {
  await sql`delete from fold_lease where until < now()`.execute(db)
}

export async function deleteLease(db: Db, holder: string): Promise<void> {
  await db.deleteFrom('fold_lease').where('holder', '=', holder).execute()
}

export type HolderCount = { holder: string; clusters: number }

/** For every living replica, including those without clusters. */
export async function listHolderCounts(db: Db): Promise<HolderCount[]> {
  const living = await sql<{ holder: string }>`select holder from fold_lease where until > now()`.execute(db)
  const held = await sql<HolderCount>`
    select holder, count(*)::integer as clusters from fold_checkpoint
    where holder is not null group by holder`.execute(db)
  const clustersOf = new Map(held.rows.map(({ holder, clusters }) => [holder, clusters]))
  return living.rows.map(({ holder }) => ({ holder, clusters: clustersOf.get(holder) ?? 0 }))
}

/** Skips clusters that are being folded: their fold writes the holder again. */
export async function freeClusters(db: Db, holder: string, count: number): Promise<void> {
  await sql`
    update fold_checkpoint set holder = null where cluster_id in (
      select cluster_id from fold_checkpoint where holder = ${holder} limit ${count} for update skip locked)`.execute(
    db,
  )
}
