import { channelsMax, type Channel } from '@plimsoll/contract'
import type { Db } from '../platform/db/database.ts'
import { withEtag } from '../platform/http/etag.ts'
import { listChannels, type ShownChannel } from './queries/channels.ts'

/** All channels, newest first. */
export async function presentChannels(db: Db): Promise<Channel[]> {
  return (await listChannels(db, { after: undefined, limit: channelsMax })).map(presentChannel)
}

export const presentChannel = (row: ShownChannel): Channel => withEtag(row.revision, shownFields(row))

const shownFields = (row: ShownChannel) => ({
  id: row.channel_id,
  name: row.name,
  kind: row.kind,
  host: row.host,
  events: row.events,
  enabled: row.disabled_reason === null,
  disabled_reason: row.disabled_reason,
  waiting: row.waiting,
  dead: row.dead,
  last_delivered_at: row.last_delivered_at?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})
