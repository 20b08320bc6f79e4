import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** Renews the lease of a replica and lists the other living ones. The clock of the database decides, so replicas need not agree. */
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
