import { groupBy } from '@plimsoll/engine'
import { planNotices, type HoldReason, type QuietTime } from '@plimsoll/engine/alerts'
import { lockChannel, noteGroup, queueMessage, queueTo, type ChannelRow } from '../../channels/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { alertMessage, groupMessage, isEnd } from '../alert-message.ts'
import { setUnsentReason } from '../queries/alerts.ts'
import { findDelivery } from '../queries/delivery-settings.ts'
import { lockWaiting, setNotices, type WaitingNotice } from '../queries/notices.ts'

/** People read these. The receivers of the others group alerts themselves, and need each end. */
const groupedKinds: readonly ChannelRow['kind'][] = ['slack', 'teams', 'email']

/** Turns the waiting notices of a channel into messages, or holds them. One server at a time does this for a channel. */
export async function notify({ db, now }: Deps, { channelId }: { channelId: string }): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const channel = await lockChannel(tx, channelId)
    if (!channel) return
    const waiting = await lockWaiting(tx, channelId)
    if (channel.disabled_reason !== null) return drop(tx, channelId, waiting)
    await send(tx, channel, waiting, now())
  })
}

async function drop(tx: Db, channelId: string, waiting: readonly WaitingNotice[]): Promise<void> {
  await setNotices(tx, channelId, waiting, { state: 'dropped', reason: 'channel_disabled' })
  await setUnsentReason(tx, idsOf(waiting), 'channel_disabled')
}

async function send(tx: Db, channel: ChannelRow, waiting: readonly WaitingNotice[], now: Date): Promise<void> {
  const { channel_id: channelId, kind, grouped_at: groupedAt } = channel
  const notices = waiting.map((row) => ({
    row,
    dueAt: row.due_at.getTime(),
    isUrgent: row.is_urgent,
    isEnd: isEnd(row),
    snoozedUntil: row.snoozed_until?.getTime() ?? null,
  }))
  const { alone, group, held } = planNotices(notices, {
    now: now.getTime(),
    quiet: await loadQuiet(tx),
    isGrouped: groupedKinds.includes(kind),
    lastGroupAt: groupedAt?.getTime() ?? null,
  })
  await hold(
    tx,
    channelId,
    held.map(({ notice, until, reason }) => ({ row: notice.row, until, reason })),
  )
  for (const { row } of alone) {
    const queued = { message: alertMessage(row, now), transition: row.transition, channelIds: [channelId] }
    await queueMessage(tx, queued, now)
  }
  const rows = group.map(({ row }) => row)
  if (rows.length > 0) {
    const message = groupMessage(channelId, rows, now)
    await queueTo(tx, [channelId], { message, transition: now.toISOString() }, now)
    await noteGroup(tx, channelId, now)
  }
  const sent = [...alone.map(({ row }) => row), ...rows]
  await setNotices(tx, channelId, sent, { state: 'sent', reason: null })
  await setUnsentReason(tx, idsOf(sent), null)
}

type Held = { row: WaitingNotice; until: number; reason: HoldReason }

/** Most notices are held for the same reason until the same time. */
async function hold(tx: Db, channelId: string, held: readonly Held[]): Promise<void> {
  for (const alike of groupBy(held, ({ until, reason }) => `${reason} ${until}`).values()) {
    const [first] = alike
    if (!first) continue
    const { until, reason } = first
    const rows = alike.map(({ row }) => row)
    await setNotices(tx, channelId, rows, { state: 'waiting', reason, dueAt: new Date(until) })
    await setUnsentReason(tx, idsOf(rows.filter((row) => !isEnd(row))), reason)
  }
}

const idsOf = (rows: readonly WaitingNotice[]) => rows.map((row) => row.alert_id)

async function loadQuiet(tx: Db): Promise<QuietTime> {
  const { quiet_from: fromMinute, quiet_to: toMinute, quiet_weekends: hasWeekends } = await findDelivery(tx)
  return { hours: fromMinute === null || toMinute === null ? null : { fromMinute, toMinute }, hasWeekends }
}
