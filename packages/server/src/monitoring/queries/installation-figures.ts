import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

export type WaitingSavings = { clusterId: string; name: string; count: number; usdPerMonth: number }

/** Open recommendations with bankable savings that were found before then. */
export async function listWaitingSavings(tx: Db, before: Date, now: Date): Promise<WaitingSavings[]> {
  const { rows } = await sql<Omit<WaitingSavings, 'usdPerMonth'> & { usd: string }>`
    select r.cluster_id as "clusterId", c.name, count(*)::integer as count, sum(r.bankable_savings) as usd
    from recommendation r join cluster c on c.cluster_id = r.cluster_id
    where r.status in ('pending', 'approved') and r.bankable_savings > 0 and r.created_at <= ${before}
      and (r.snoozed_until is null or r.snoozed_until <= ${now})
    group by 1, 2`.execute(tx)
  return rows.map(({ usd, ...row }) => ({ ...row, usdPerMonth: Number(usd) }))
}

export type FailingChannel = { channelId: string; name: string; dead: number }

/** Channels with messages that were given up after the last delivered one. A failed test message does not count. */
export async function listFailingChannels(tx: Db): Promise<FailingChannel[]> {
  const { rows } = await sql<FailingChannel>`
    select c.channel_id as "channelId", c.name, count(*)::integer as dead
    from channel c join delivery d on d.channel_id = c.channel_id
    where d.state = 'dead' and d.message ->> 'event' <> 'test' and d.ended_at > coalesce(
      (select max(s.ended_at) from delivery s where s.channel_id = c.channel_id and s.state = 'delivered'), '-infinity')
    group by 1, 2`.execute(tx)
  return rows
}

export type AbsentOwner = { userId: string; email: string; keys: number; lastSeenAt: Date }

/** Users with valid API keys who have not signed in since then. */
export async function listAbsentOwners(tx: Db, since: Date, now: Date): Promise<AbsentOwner[]> {
  const { rows } = await sql<AbsentOwner>`
    select u.user_id as "userId", u.email, count(*)::integer as keys, coalesce(l.at, u.created_at) as "lastSeenAt"
    from app_user u join api_key k on k.user_id = u.user_id
    left join last_use l on l.subject_id = u.user_id::text
    where coalesce(l.at, u.created_at) < ${since} and (k.expires_at is null or k.expires_at > ${now})
    group by 1, 2, 4`.execute(tx)
  return rows
}
