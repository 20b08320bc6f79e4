import type { FastifyRequest } from 'fastify'
import type { Db } from '../platform/db/database.ts'
import { Problem, quoted } from '../platform/http/problem.ts'
import { isId } from '../platform/ids.ts'
import { findChannel, type ChannelRow } from './queries/channels.ts'

export const channelParam = (request: FastifyRequest): string => (request.params as { channel_id: string }).channel_id

export async function demandChannel(db: Db, channelId: string): Promise<ChannelRow> {
  const row = isId('chn', channelId) ? await findChannel(db, channelId) : undefined
  if (!row) throw new Problem('channel_not_found', `There is no channel ${quoted(channelId)}.`)
  return row
}
