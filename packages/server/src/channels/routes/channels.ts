import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { channelsMax, operations, type Channel, type CreateChannelBody } from '@plimsoll/contract'
import { pathOf, routes } from '@plimsoll/contract/routes'
import type { FastifyRequest } from 'fastify'
import { changedFields, recordChange } from '../../audit/index.ts'
import { demandWholeFleet } from '../../platform/auth/whole-fleet.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { allWrongFields } from '../../platform/http/all-wrong-fields.ts'
import { change } from '../../platform/http/change.ts'
import { decodeCursor, encodeCursor, page } from '../../platform/http/cursor.ts'
import { demandMatch, sendWithEtag } from '../../platform/http/etag.ts'
import { handle } from '../../platform/http/handle.ts'
import { Problem, quoted, type FieldError } from '../../platform/http/problem.ts'
import { newId } from '../../platform/ids.ts'
import { addressErrors, addressOf, openAddress, sealAddress, shownHost } from '../channel-address.ts'
import { channelParam, demandChannel } from '../channel-access.ts'
import { presentChannel } from '../present-channel.ts'
import {
  countChannels,
  deleteChannel,
  findShownChannel,
  insertChannel,
  listChannels,
  lockChannel,
  updateChannel,
  type ChannelRow,
} from '../queries/channels.ts'
import { endWaiting } from '../queries/outbox.ts'

export const channelRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.addHook('preParsing', demandWholeFleet)
  const preParsing = async (request: FastifyRequest) => {
    await demandChannel(deps.db, channelParam(request))
  }
  const networks = deps.settings.outboundNetworks

  handle(app, operations.listChannels, {
    handler: async (request) => {
      const { limit, cursor } = request.query
      const scope = { list: 'channels', selection: {} }
      const [after] = decodeCursor(deps.secrets, scope, cursor, deps.now()) ?? []
      const rows = await listChannels(deps.db, { after, limit: limit + 1 })
      const { shown, ...rest } = page(rows, limit, (last) =>
        encodeCursor(deps.secrets, scope, [last.channel_id], deps.now()),
      )
      return { channels: shown.map(presentChannel), ...rest }
    },
  })

  handle(app, operations.createChannel, {
    ...allWrongFields(async (fields) =>
      fields.kind === undefined ? [] : addressErrors({ ...bodyOf(fields), networks }),
    ),
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { name, kind, events = null, ...fields } = request.body
        demandNoErrors(addressErrors({ kind, fields, networks }))
        await demandChannelsBelowMax(tx)
        const channelId = newId('chn', deps.now())
        const address = addressOf(kind, fields)
        const host = shownHost(kind, address)
        const sealed = sealAddress(deps.secrets, channelId, address)
        const row = { channel_id: channelId, name, kind, host, sealed, events, created_at: deps.now() }
        if (!(await insertChannel(tx, row))) throw nameTaken(name)
        const target = { type: 'channel' as const, id: channelId }
        await recordChange(deps, tx, request, {
          action: 'channel.create',
          target,
          detail: { name, kind, host, events },
        })
        return {
          status: 201,
          headers: { location: pathOf(routes.getChannel, { channel_id: channelId }) },
          ...(await shown(tx, channelId)),
          ...(address.secret === undefined ? {} : { shownOnce: { secret: address.secret } }),
          resourceId: channelId,
        }
      }),
  })

  handle(app, operations.getChannel, {
    preParsing,
    handler: async (request, reply) => {
      const { body, revision } = await shown(deps.db, request.params.channel_id)
      return sendWithEtag(request, reply, revision, body)
    },
  })

  handle(app, operations.updateChannel, {
    preParsing,
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const row = await lockedChannel(tx, request)
        const { name = row.name, events = row.events, enabled, ...fields } = request.body
        demandNoErrors(addressErrors({ kind: row.kind, fields, networks, isEdit: true }))
        const address = addressOf(row.kind, fields, openAddress(deps.secrets, row))
        const edit = {
          name,
          host: shownHost(row.kind, address),
          sealed: sealAddress(deps.secrets, row.channel_id, address),
          events,
          disabled_reason: enabled === undefined ? row.disabled_reason : enabled ? null : ('user' as const),
        }
        if (!(await updateChannel(tx, row.channel_id, edit, deps.now()))) throw nameTaken(name)
        if (edit.disabled_reason !== null) await endWaiting(tx, row.channel_id, 'cancelled', deps.now())
        await recordChange(deps, tx, request, {
          action: 'channel.update',
          target: { type: 'channel', id: row.channel_id },
          detail: {
            ...changedFields(audited(row), audited({ ...row, ...edit })),
            address_changed: Object.keys(fields).length > 0,
          },
        })
        return { status: 200, ...(await shown(tx, row.channel_id)) }
      }),
  })

  handle(app, operations.deleteChannel, {
    preParsing,
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const row = await lockedChannel(tx, request)
        const { body } = await shown(tx, row.channel_id)
        await deleteChannel(tx, row.channel_id)
        const target = { type: 'channel' as const, id: row.channel_id }
        const detail = { ...audited(row), kind: row.kind, waiting: body.waiting, dead: body.dead }
        await recordChange(deps, tx, request, { action: 'channel.delete', target, detail })
        return { status: 204, body: null }
      }),
  })
}

async function lockedChannel(tx: Db, request: FastifyRequest): Promise<ChannelRow> {
  const channelId = channelParam(request)
  await demandChannel(tx, channelId)
  const row = await lockChannel(tx, channelId)
  if (!row) return demandChannel(tx, channelId)
  demandMatch(request, row.revision)
  return row
}

/** For a body with other invalid fields. */
const bodyOf = (fields: Readonly<Record<string, unknown>>) => {
  const { kind, name: _name, events: _events, ...others } = fields as CreateChannelBody
  return { kind, fields: others }
}

function demandNoErrors(errors: FieldError[]): void {
  const [first] = errors
  if (first) throw new Problem('invalid_body', `${first.pointer ?? ''}: ${first.detail}.`, { errors })
}

async function demandChannelsBelowMax(tx: Db): Promise<void> {
  if ((await countChannels(tx)) < channelsMax) return
  throw new Problem('channel_limit', `There are already ${channelsMax} channels. Delete an unused one.`)
}

const nameTaken = (name: string) =>
  new Problem('channel_name_taken', `Another channel has the name ${quoted(name)}.`, {
    errors: [{ pointer: '/name', code: 'taken', detail: 'is taken' }],
  })

async function shown(db: Db, channelId: string): Promise<{ body: Channel; revision: number }> {
  const row = await findShownChannel(db, channelId)
  if (!row) throw new Error('the channel is missing')
  return { body: presentChannel(row), revision: row.revision }
}

/** Without the address. */
const audited = ({ name, host, events, disabled_reason }: Omit<ChannelRow, 'sealed'>) => ({
  name,
  host,
  events,
  enabled: disabled_reason === null,
})
