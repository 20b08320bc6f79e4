import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operations, type Alert, type AlertAction, type UnsentReason } from '@plimsoll/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordChange } from '../../audit/index.ts'
import { maySeeCluster } from '../../platform/auth/caller.ts'
import type { Deps } from '../../platform/deps.ts'
import { change } from '../../platform/http/change.ts'
import { decodeCursor, encodeCursor, page } from '../../platform/http/cursor.ts'
import { handle } from '../../platform/http/handle.ts'
import { Problem, quoted } from '../../platform/http/problem.ts'
import { requestCaller, requestUser } from '../../platform/http/request-caller.ts'
import { demandAlert, scopeOf } from '../alert-access.ts'
import { presentAlert } from '../present-alert.ts'
import { editAlert, listAlerts, lockAlert, setUnsentReason, type AlertEdit } from '../queries/alerts.ts'
import { dropNotices } from '../queries/notices.ts'

const yearMs = 366 * 24 * 3_600_000

export const alertRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  const preParsing = async (request: FastifyRequest) => {
    await demandAlert(deps.db, request)
  }

  handle(app, operations.listAlerts, {
    handler: async (request) => {
      const { limit, cursor, state, rule, cluster_id: clusterId } = request.query
      if (clusterId !== undefined && !maySeeCluster(requestCaller(request), clusterId))
        throw new Problem('cluster_not_found', `There is no cluster ${quoted(clusterId)}.`)
      const selection = { state, rule, clusterId }
      const scope = { list: 'alerts', selection }
      const [after] = decodeCursor(deps.secrets, scope, cursor, deps.now()) ?? []
      const rows = await listAlerts(deps.db, { scope: scopeOf(request), ...selection, after, limit: limit + 1 })
      const { shown, ...rest } = page(rows, limit, (last) =>
        encodeCursor(deps.secrets, scope, [last.alert_id], deps.now()),
      )
      return { alerts: shown.map((row) => presentAlert(row, mayWrite(request))), ...rest }
    },
  })

  handle(app, operations.getAlert, {
    handler: async (request) => presentAlert(await demandAlert(deps.db, request), mayWrite(request)),
  })

  handle(app, operations.acknowledgeAlert, {
    preParsing,
    handler: (request, reply) =>
      decide(deps, request, reply, {
        action: 'acknowledge',
        edit: (by) => ({ acknowledged: { ...by, note: request.body?.note ?? null } }),
        drops: 'acknowledged',
      }),
  })

  handle(app, operations.snoozeAlert, {
    preParsing,
    handler: (request, reply) => {
      const snoozedUntil = demandUntil(request.body.until, deps.now())
      return decide(deps, request, reply, { action: 'snooze', edit: () => ({ snoozedUntil }), drops: null })
    },
  })

  handle(app, operations.acceptAlert, {
    preParsing,
    handler: (request, reply) =>
      decide(deps, request, reply, {
        action: 'accept',
        edit: (by) => ({ accepted: { ...by, note: request.body.reason } }),
        drops: 'accepted',
      }),
  })
}

const mayWrite = (request: FastifyRequest) => requestCaller(request).permissions.has('alerts:write')

function demandUntil(text: string, now: Date): Date {
  const until = new Date(text)
  const waitMs = until.getTime() - now.getTime()
  if (waitMs > 0 && waitMs <= yearMs) return until
  const detail = 'must be in the future and at most one year away'
  const error = { pointer: '/until', code: 'range', detail }
  throw new Problem('invalid_body', `/until: ${detail}.`, { errors: [error] })
}

type Decision = {
  action: AlertAction
  edit: (by: { at: string; by: string }) => AlertEdit
  /** Why the messages that still wait are not sent; null: they wait. */
  drops: UnsentReason | null
}

function decide(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { action, edit, drops }: Decision,
): Promise<Alert> {
  return change(deps, request, reply, async (tx) => {
    const { alert_id: alertId } = await demandAlert(tx, request)
    const row = await lockAlert(tx, alertId)
    if (!row || row.state === 'resolved')
      throw new Problem('alert_resolved', 'The alert is resolved, so it cannot be changed.')
    const { email } = requestUser(request)
    await editAlert(tx, alertId, edit({ at: deps.now().toISOString(), by: email }))
    if (drops) await setUnsentReason(tx, await dropNotices(tx, [alertId], drops), drops)
    const target = { type: 'alert' as const, id: alertId }
    const detail = { rule: row.rule, title: row.content.title }
    await recordChange(deps, tx, request, { action: `alert.${action}`, target, detail })
    return { status: 200, body: presentAlert(await demandAlert(tx, request), true) }
  })
}
