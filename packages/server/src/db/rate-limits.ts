import { sql, type RawBuilder } from 'kysely'
import type { Db } from './database.ts'

/** `resetsInSeconds` is at least 1, and by the database's clock as well: ours may differ from it. */
export type Hits = { hits: number; resetsAt: Date; resetsInSeconds: number }

const secondsLeft = sql`greatest(1, ceil(extract(epoch from resets_at - statement_timestamp())))::integer`

/**
 * One atomic upsert, so that a limit is exact across replicas. The database's clock opens and closes the window:
 * replicas need not agree on the time.
 */
export function countingUpsert(source: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into rate_limit as held (bucket, hits, resets_at) ${source}
    on conflict (bucket) do update set
      hits = case when held.resets_at <= statement_timestamp() then 1 else held.hits + 1 end,
      resets_at = case when held.resets_at <= statement_timestamp() then excluded.resets_at else held.resets_at end
    returning hits, resets_at, ${secondsLeft} as resets_in_seconds`
}

type HitsRow = { hits: number; resets_at: Date; resets_in_seconds: number }

const toHits = (row: HitsRow): Hits => ({
  hits: row.hits,
  resetsAt: row.resets_at,
  resetsInSeconds: row.resets_in_seconds,
})

export async function countHit(db: Db, bucket: string, windowSeconds: number): Promise<Hits> {
  const source = sql`values (${bucket}, 1, statement_timestamp() + make_interval(secs => ${windowSeconds}))`
  const { rows } = await sql<HitsRow>`${countingUpsert(source)}`.execute(db)
  const [row] = rows
  if (!row) throw new Error('an upsert returned no row')
  return toHits(row)
}

/** Undefined when no window is open. */
export async function findHits(db: Db, bucket: string): Promise<Hits | undefined> {
  const { rows } = await sql<HitsRow>`
    select hits, resets_at, ${secondsLeft} as resets_in_seconds from rate_limit
    where bucket = ${bucket} and resets_at > statement_timestamp()`.execute(db)
  return rows[0] && toHits(rows[0])
}

export async function forgetHits(db: Db, bucket: string): Promise<void> {
  await db.deleteFrom('rate_limit').where('bucket', '=', bucket).execute()
}

export async function deleteClosedWindows(db: Db): Promise<void> {
  await sql`delete from rate_limit where resets_at < statement_timestamp()`.execute(db)
}
