import { rateLimitWindowSeconds } from '@plimsoll/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { prepared } from '../../db/prepared.ts'

/** `resetsInSeconds` is at least 1, by the database clock, which may differ from ours. */
export type Hits = { hits: number; resetsAt: Date; resetsInSeconds: number }

const columns = `hits, resets_at as "resetsAt",
  greatest(1, ceil(extract(epoch from resets_at - statement_timestamp())))::integer as "resetsInSeconds"`

/**
 * Counts a request in the window of its bucket, or opens a window of `seconds` if none is open. One atomic upsert, so
 * that a limit is exact across replicas. The database clock opens and closes windows, because the clocks of replicas may
 * differ.
 */
const countingUpsert = ({ bucket, seconds, from = '' }: { bucket: string; seconds: string; from?: string }) => `
    insert into rate_limit as held (bucket, hits, resets_at)
    select ${bucket}, 1, statement_timestamp() + make_interval(secs => ${seconds}) ${from}
    on conflict (bucket) do update set
      hits = case when held.resets_at <= statement_timestamp() then 1 else held.hits + 1 end,
      resets_at = case when held.resets_at <= statement_timestamp() then excluded.resets_at else held.resets_at end
    returning ${columns}`

/** Part of a larger statement: counts one request for each row of `from`. `bucket` is an SQL expression. */
export const countRequests = (bucket: string, from: string) =>
  countingUpsert({ bucket, seconds: String(rateLimitWindowSeconds), from: `from ${from}` })

const countOne = countingUpsert({ bucket: '$1', seconds: '$2' })

/** Default: the window of the rate limits. */
export async function countHit(db: Db, bucket: string, windowSeconds = rateLimitWindowSeconds): Promise<Hits> {
  const [hits] = await prepared<Hits>(db, 'count-hit', countOne, [bucket, windowSeconds])
  if (!hits) throw new Error('an upsert returned no row')
  return hits
}

/** Undefined when no window is open. */
export async function findHits(db: Db, bucket: string): Promise<Hits | undefined> {
  const open = `select ${columns} from rate_limit where bucket = $1 and resets_at > statement_timestamp()`
  return (await prepared<Hits>(db, 'find-hits', open, [bucket]))[0]
}

export async function forgetHits(db: Db, bucket: string): Promise<void> {
  await db.deleteFrom('rate_limit').where('bucket', '=', bucket).execute()
}

/** Reads the whole table: for rare events only. */
export async function forgetHitsEndingIn(db: Db, start: string, end: string): Promise<void> {
  await sql`
    delete from rate_limit
    where left(bucket, ${start.length}) = ${start} and right(bucket, ${end.length}) = ${end}`.execute(db)
}

export async function deleteClosedWindows(db: Db): Promise<void> {
  await sql`delete from rate_limit where resets_at < statement_timestamp()`.execute(db)
}
