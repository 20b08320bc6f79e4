import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operations, type Delivery } from '@plimsoll/contract'
import type { Message } from '@plimsoll/engine/messages'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordChange } from '../../audit/index.ts'
import { demandWholeFleet } from '../../platform/auth/whole-fleet.ts'
import type { Deps } from '../../platform/deps.ts'
import { change, findReplay, transactAsCaller } from '../../platform/http/change.ts'
import { decodeCursor, encodeCursor, page } from '../../platform/http/cursor.ts'
import { handle } from '../../platform/http/handle.ts'
import { Problem, quoted } from '../../platform/http/problem.ts'
import { newId } from '../../platform/ids.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { channelParam, demandChannel } from '../channel-access.ts'
import { claimMs } from '../jobs/deliver.ts'
import type { ChannelRow } from '../queries/channels.ts'
import { listDeliveries, type LoggedDelivery } from '../queries/delivery-log.ts'
import { claimDelivery, insertDeliveries, requeueDead, type ClaimedDelivery } from '../queries/outbox.ts'
import { recordTry } from '../record-try.ts'
import { triesPerRound } from '../retry-schedule.ts'
import { sendMessage, type TryResult } from '../send-message.ts'

type TestAnswer = {
  delivery_id: string
  delivered: boolean
  status: number | null
  duration_ms: number
  error: Delivery['tries'][number]['error']
}

export const deliveryRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.addHook('preParsing', demandWholeFleet)
  const preParsing = async (request: FastifyRequest) => {
    await demandChannel(deps.db, channelParam(request))
  }

  handle(app, operations.listDeliveries, {
    preParsing,
    handler: async (request) => {
      const { limit, cursor, state } = request.query
      const { channel_id: channelId } = request.params
      const scope = { list: 'deliveries', selection: { channelId, state } }
      const [after] = decodeCursor(deps.secrets, scope, cursor, deps.now()) ?? []
      const rows = await listDeliveries(deps.db, { channelId, state, after, limit: limit + 1 })
      const { shown, ...rest } = page(rows, limit, (last) =>
        encodeCursor(deps.secrets, scope, [last.position], deps.now()),
      )
      return { deliveries: shown.map(presentDelivery), ...rest }
    },
  })

  handle(app, operations.testChannel, {
    preParsing,
    handler: (request, reply) => sendTest(deps, request, reply),
  })

  handle(app, operations.redeliver, {
    preParsing,
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const channel = await demandChannel(tx, request.params.channel_id)
        if (channel.disabled_reason !== null)
          throw new Problem('channel_disabled', `The channel ${quoted(channel.name)} is disabled. Enable it first.`)
        const { delivery_ids: ids = null } = request.body
        const { channel_id: channelId } = channel
        const queued = await requeueDead(tx, { channelId, ids, triesMax: triesPerRound, now: deps.now() })
        const other = ids?.find((id) => !queued.includes(id))
        if (other !== undefined)
          throw new Problem('delivery_not_dead', `${quoted(other)} is not a failed delivery of this channel.`)
        if (queued.length > 0) await enqueue(tx, 'deliver', { channelId })
        const target = { type: 'channel' as const, id: channelId }
        const detail = { name: channel.name, queued: queued.length }
        await recordChange(deps, tx, request, { action: 'channel.redeliver', target, detail })
        return { status: 202, body: { queued: queued.length } }
      }),
  })
}

async function sendTest(deps: Deps, request: FastifyRequest, reply: FastifyReply): Promise<TestAnswer> {
  const replay = await findReplay<TestAnswer>(deps, request, reply)
  if (replay) return replay
  const startedAt = deps.now()
  const { channel, delivery } = await queueTest(deps, request)
  // Outside of a transaction, because the receiver may take 15 seconds.
  const result = await sendMessage(deps, channel, delivery)
  return change(deps, request, reply, async (tx) => {
    await recordTry(deps, tx, { channel, delivery, result, startedAt })
    return { status: 200, body: testAnswer(delivery, result), resourceId: channel.channel_id }
  })
}

const testAnswer = ({ deliveryId }: ClaimedDelivery, { status, error, durationMs }: TryResult): TestAnswer => ({
  delivery_id: deliveryId,
  delivered: error === null,
  status,
  duration_ms: durationMs,
  error,
})

/** The row is claimed at once, so that no other server sends the test as well. It gets a single try. */
function queueTest(deps: Deps, request: FastifyRequest): Promise<{ channel: ChannelRow; delivery: ClaimedDelivery }> {
  return transactAsCaller(deps, request, async (tx) => {
    const channel = await demandChannel(tx, channelParam(request))
    const now = deps.now()
    const deliveryId = newId('msg', now)
    const row = { deliveryId, channelId: channel.channel_id, transition: 'sent', triesMax: 1 }
    await insertDeliveries(tx, [{ ...row, message: testMessage(channel, deliveryId, now) }], now)
    const target = { type: 'channel' as const, id: channel.channel_id }
    await recordChange(deps, tx, request, { action: 'channel.test', target, detail: { name: channel.name } })
    return { channel, delivery: await claimDelivery(tx, deliveryId, new Date(now.getTime() + claimMs)) }
  })
}

const testMessage = ({ name }: ChannelRow, deliveryId: string, now: Date): Message => ({
  event: 'test',
  severity: 'info',
  title: 'Test message from Plimsoll',
  facts: [{ label: 'Channel', value: name }],
  money: null,
  links: [{ label: 'Open Plimsoll', url: '/' }],
  dedupKey: `test:${deliveryId}`,
  startedAt: now.toISOString(),
  endedAt: null,
})

const presentDelivery = (row: LoggedDelivery): Delivery => ({
  id: row.delivery_id,
  event: row.event,
  title: row.title,
  state: row.state,
  queued_at: row.queued_at.toISOString(),
  next_try_at: row.state === 'waiting' ? row.due_at.toISOString() : null,
  ended_at: row.ended_at?.toISOString() ?? null,
  tries: row.tries.map((each) => ({ ...each, at: new Date(each.at).toISOString() })),
})
