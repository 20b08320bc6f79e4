import type { UnsentReason } from '@plimsoll/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { NoticedAlert } from '../alert-message.ts'

export type NewNotice = { alertId: string; transition: string; channelId: string; dueAt: Date }

/** A transition that has its notice already stays as it is. */
export async function insertNotices(tx: Db, notices: readonly NewNotice[], now: Date): Promise<void> {
  if (notices.length === 0) return
  await sql`
    insert into alert_notice (alert_id, transition, channel_id, state, due_at, created_at)
    select "alertId", transition, "channelId", 'waiting', "dueAt", ${now}
    from jsonb_to_recordset(${JSON.stringify(notices)}::jsonb)
      as r ("alertId" text, transition text, "channelId" text, "dueAt" timestamptz)
    on conflict do nothing`.execute(tx)
}

/** Returns the alerts whose waiting messages are not needed any more. */
export async function dropNotices(tx: Db, alertIds: readonly string[], reason: UnsentReason): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update alert_notice set state = 'dropped', reason = ${reason}
    where alert_id = any(${alertIds}) and state = 'waiting' returning alert_id as id`.execute(tx)
  return [...new Set(rows.map(({ id }) => id))]
}

/** Enabled channels that got a message about each alert. */
export async function listInformed(
  tx: Db,
  alertIds: readonly string[],
): Promise<{ alertId: string; channelId: string }[]> {
  const { rows } = await sql<{ alertId: string; channelId: string }>`
    select distinct n.alert_id as "alertId", n.channel_id as "channelId"
    from alert_notice n join channel c on c.channel_id = n.channel_id
    where n.alert_id = any(${alertIds}) and n.state = 'sent' and c.disabled_reason is null`.execute(tx)
  return rows
}

export type WaitingNotice = NoticedAlert & { due_at: Date; is_urgent: boolean; snoozed_until: Date | null }

/**
 * In the order of their causes. Locks the alerts, so that none ends while its message is queued. An alert that another
 * transaction changes now is left out: its notices change with it, and waiting for it could end in a deadlock.
 */
export async function lockWaiting(tx: Db, channelId: string): Promise<WaitingNotice[]> {
  const locked = await sql<{ id: string }>`
    select a.alert_id as id from alert a
    where exists (
      select from alert_notice n where n.alert_id = a.alert_id and n.channel_id = ${channelId} and n.state = 'waiting')
    for no key update of a skip locked`.execute(tx)
  // Another statement: it sees what was committed before the lock.
  const { rows } = await sql<WaitingNotice>`
    select a.alert_id, a.rule, a.content, a.fired_at, a.resolved_at, a.is_urgent, a.snoozed_until, n.transition, n.due_at
    from alert_notice n join alert a on a.alert_id = n.alert_id
    where n.channel_id = ${channelId} and n.state = 'waiting' and a.alert_id = any(${locked.rows.map(({ id }) => id)})
    order by n.created_at, a.entity, n.transition`.execute(tx)
  return rows
}

export type ExpiringAlert = Omit<NoticedAlert, 'transition'> & { channelId: string }

/**
 * Open alerts whose last message to a channel of Alertmanager was queued before then. The alerts are locked, so that no end
 * is queued before the repeated message. An alert that another transaction changes now is left out.
 */
export async function lockExpiring(tx: Db, before: Date): Promise<ExpiringAlert[]> {
  const { rows } = await sql<ExpiringAlert>`
    select a.alert_id, a.rule, a.content, a.fired_at, a.resolved_at, c.channel_id as "channelId"
    from alert a cross join channel c
    where a.state = 'firing' and c.kind = 'alertmanager' and c.disabled_reason is null
      and exists (
        select from alert_notice n
        where n.alert_id = a.alert_id and n.channel_id = c.channel_id and n.state = 'sent')
      and not exists (
        select from delivery d
        where d.dedup_key = 'alert:' || a.alert_id and d.channel_id = c.channel_id and d.queued_at > ${before})
    for no key update of a skip locked`.execute(tx)
  return rows
}

type NoticeKey = { alert_id: string; transition: string }

/** Notices that wait. The others have ended, so they stay as they are. */
export async function setNotices(
  tx: Db,
  channelId: string,
  notices: readonly NoticeKey[],
  set: { state: 'waiting' | 'sent' | 'dropped'; reason: UnsentReason | null; dueAt?: Date },
): Promise<void> {
  if (notices.length === 0) return
  const keys = notices.map(({ alert_id, transition }) => ({ alert_id, transition }))
  await sql`
    update alert_notice n set state = ${set.state}, reason = ${set.reason},
      due_at = coalesce(${set.dueAt ?? null}::timestamptz, n.due_at)
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as r (alert_id text, transition text)
    where n.channel_id = ${channelId} and n.alert_id = r.alert_id and n.transition = r.transition
      and n.state = 'waiting'`.execute(tx)
}

/** Deleting a channel deletes its notices. An open alert without a notice is not sent any more, and says so. */
export async function noteMissingChannels(db: Db): Promise<void> {
  await sql`
    update alert a set unsent_reason = 'no_channel'
    where a.state = 'firing' and a.unsent_reason in ('collecting', 'grouped', 'quiet_hours', 'snoozed')
      and not exists (select from alert_notice n where n.alert_id = a.alert_id)`.execute(db)
}

/** Channels with notices that are due. */
export async function listDueNotices(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{ channelId: string }>`
    select distinct channel_id as "channelId" from alert_notice where state = 'waiting' and due_at <= ${now}`.execute(
    db,
  )
  return rows.map(({ channelId }) => channelId)
}
