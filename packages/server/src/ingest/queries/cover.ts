import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import { daySpansOf, type DaySpans, type SummedDay } from '../day-spans.ts'

/** Where the figures of a window are read: day sums if valid, else single hours. */
export type CoveredHours = {
  clusterId: string
  days: Date[]
  hours: Date[]
  /** The same days as few sums of workloads. Missing: the days are read one by one. */
  spans?: DaySpans | undefined
  hoursWithData: number
  /** The end of the newest hour in the window. */
  asOf: Date | null
}

/** The revision changes whenever an hour of the window is written or a price is added. */
export type Cover = CoveredHours & { revision: string }

/** For answers that show each hour. */
export async function loadHourlyCover(
  tx: Db,
  clusterId: string,
  window: { from: Date; to: Date },
): Promise<CoveredHours> {
  const written = await tx
    .selectFrom('folded_hour')
    .select('hour')
    .where('cluster_id', '=', clusterId)
    .where('hour', '>=', window.from)
    .where('hour', '<', window.to)
    .orderBy('hour')
    .execute()
  const hours = written.map(({ hour }) => hour)
  const newest = hours.at(-1)
  const asOf = newest ? new Date(newest.getTime() + 3_600_000) : null
  return { clusterId, days: [], hours, hoursWithData: hours.length, asOf }
}

/** Read in the transaction that reads the figures: day sums may be deleted at any moment. */
export async function loadCover(tx: Db, clusterId: string, { from, to }: { from: Date; to: Date }): Promise<Cover> {
  const { rows } = await sql<FoundCover>`
    with whole as (
      select day, hours, running_since as since from folded_day
      where cluster_id = ${clusterId} and day >= ${from} and day <= ${to}::timestamptz - interval '24 hours'),
    written as (
      select hour, revision from folded_hour
      where cluster_id = ${clusterId} and hour >= ${from} and hour < ${to}),
    single as (
      select hour from written where not exists (select from whole where day = date_trunc('day', hour, 'UTC')))
    select
      (select coalesce(array_agg(day order by day), '{}') from whole) as days,
      (select coalesce(array_agg(since order by day), '{}') from whole) as since,
      (select to_jsonb(earlier) from (
        select day, running_since as "runningSince" from folded_day
        where cluster_id = ${clusterId} and day < (select min(day) from whole) order by day desc limit 1) earlier) as earlier,
      (select coalesce(array_agg(hour order by hour), '{}') from single) as hours,
      (select coalesce(sum(hours), 0)::int from whole) as "hoursOfDays",
      (select max(hour) + interval '1 hour' from written) as newest,
      (select concat_ws(' ', count(*), sum(revision), (select max(rate_id) from rate)) from written) as revision`.execute(
    tx,
  )
  const found = rows[0]
  if (!found) throw new Error('the cover of a window has one row')
  const { days, since, earlier, hours, hoursOfDays, newest, revision } = found
  const summed = days.map((day, at): SummedDay => ({ day, runningSince: since[at] ?? null }))
  const spans = daySpansOf(summed, earlier === null ? undefined : summedDay(earlier))
  return { clusterId, days, hours, spans, hoursWithData: hoursOfDays + hours.length, asOf: newest, revision }
}

type FoundCover = {
  days: Date[]
  since: (Date | null)[]
  /** In JSON, times are text. */
  earlier: { day: string; runningSince: string | null } | null
  hours: Date[]
  hoursOfDays: number
  newest: Date | null
  revision: string
}

const summedDay = ({ day, runningSince }: NonNullable<FoundCover['earlier']>): SummedDay => ({
  day: new Date(day),
  runningSince: runningSince === null ? null : new Date(runningSince),
})

/** One snapshot for the whole answer, so that its parts are consistent. */
export function readAtOnce<Answer>(db: Db, read: (tx: Db) => Promise<Answer>): Promise<Answer> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
}
