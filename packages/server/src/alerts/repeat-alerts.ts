import { hourMs } from '@plimsoll/engine'
import { queueTo } from '../channels/index.ts'
import type { Db } from '../platform/db/database.ts'
import { alertMessage } from './alert-message.ts'
import { lockExpiring } from './queries/notices.ts'

/** Alertmanager ends an alert 24 hours after its last message. */
const repeatMs = 12 * hourMs

/** Repeats the messages about open alerts to receivers that end an alert by themselves. Its key stays the same. */
export async function repeatAlerts(tx: Db, now: Date): Promise<void> {
  for (const { channelId, ...alert } of await lockExpiring(tx, new Date(now.getTime() - repeatMs))) {
    const message = alertMessage({ ...alert, transition: 'firing' }, now)
    await queueTo(tx, [channelId], { message, transition: `repeat ${now.toISOString()}` }, now)
  }
}
