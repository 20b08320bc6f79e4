import { COLLECT_MS } from '@plimsoll/engine/alerts'
import { listReceivers, receiversFor } from '../channels/index.ts'
import type { Db } from '../platform/db/database.ts'
import { enqueue } from '../platform/jobs/job-queue.ts'
import { listDecided, setUnsentReason, type AlertChange } from './queries/alerts.ts'
import { dropNotices, insertNotices, listInformed, type NewNotice } from './queries/notices.ts'

/** One message for each channel of the team, else of the installation, that receives the rule. */
export function noticeFirings(tx: Db, alerts: readonly AlertChange[], now: Date): Promise<void> {
  return announce(tx, alerts, 'firing', now)
}

/**
 * `transition` names the change of state of the alert: each leads to one message. All alerts have the same rule. An alert
 * that a person acknowledged or accepted needs no message.
 */
export async function announce(tx: Db, changed: readonly AlertChange[], transition: string, now: Date): Promise<void> {
  const alerts = await withoutDecided(tx, changed)
  const [first] = alerts
  if (!first) return
  const receivers = await listReceivers(tx, first.rule)
  const routed = alerts.map((alert) => ({ alert, channelIds: receiversFor(receivers, teamsOf(alert)) }))
  const idsOf = (reaches: boolean) =>
    routed.filter(({ channelIds }) => channelIds.length > 0 === reaches).map(({ alert }) => alert.alert_id)
  await setUnsentReason(tx, idsOf(false), 'no_channel')
  await setUnsentReason(tx, idsOf(true), 'collecting')
  await queueNotices(
    tx,
    routed.flatMap(({ alert, channelIds }) => channelIds.map((id) => noticeOf(alert, transition, id, now))),
    now,
  )
}

const teamsOf = ({ team, scope }: AlertChange) => (team === null ? (scope?.teams ?? []) : [team])

/** An alert can be acknowledged while it is pending, so before its first message. */
async function withoutDecided(tx: Db, alerts: readonly AlertChange[]): Promise<AlertChange[]> {
  if (alerts.length === 0) return []
  const decided = await listDecided(
    tx,
    alerts.map(({ alert_id: id }) => id),
  )
  // An earlier message about the alert was sent, so it has no reason.
  for (const { id, reason } of decided.filter(({ sent }) => !sent)) await setUnsentReason(tx, [id], reason)
  const ids = new Set(decided.map(({ id }) => id))
  return alerts.filter(({ alert_id: id }) => !ids.has(id))
}

const noticeOf = (alert: AlertChange, transition: string, channelId: string, now: Date): NewNotice => ({
  alertId: alert.alert_id,
  transition,
  channelId,
  dueAt: alert.is_urgent ? now : new Date(now.getTime() + COLLECT_MS),
})

/** The end goes to the channels that got a message about the alert. Messages that still wait are dropped. */
export async function noticeEnds(tx: Db, alerts: readonly AlertChange[], now: Date): Promise<void> {
  if (alerts.length === 0) return
  const byId = new Map(alerts.map((alert) => [alert.alert_id, alert]))
  const dropped = await dropNotices(tx, [...byId.keys()], 'ended')
  const informed = await listInformed(tx, [...byId.keys()])
  const informedIds = new Set(informed.map(({ alertId }) => alertId))
  await setUnsentReason(
    tx,
    dropped.filter((id) => !informedIds.has(id)),
    'ended',
  )
  await queueNotices(
    tx,
    informed.flatMap(({ alertId, channelId }) => {
      const alert = byId.get(alertId)
      return alert ? [noticeOf(alert, 'resolved', channelId, now)] : []
    }),
    now,
  )
}

/** The sweep finds the notices that are due later. */
async function queueNotices(tx: Db, notices: readonly NewNotice[], now: Date): Promise<void> {
  await insertNotices(tx, notices, now)
  const due = new Set(notices.filter(({ dueAt }) => dueAt <= now).map(({ channelId }) => channelId))
  for (const channelId of due) await enqueue(tx, 'notify', { channelId })
}
