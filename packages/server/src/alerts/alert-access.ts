import type { FastifyRequest } from 'fastify'
import type { Db } from '../platform/db/database.ts'
import { Problem, quoted } from '../platform/http/problem.ts'
import { requestCaller } from '../platform/http/request-caller.ts'
import { isId } from '../platform/ids.ts'
import { findAlert, type AlertScope, type ShownAlert } from './queries/alerts.ts'

export function scopeOf(request: FastifyRequest): AlertScope {
  const { clusters, namespaces, teams } = requestCaller(request)
  return { clusters, namespaces, teams }
}

/** An alert outside of the caller's part of the fleet gets the same response as a missing one. */
export async function demandAlert(db: Db, request: FastifyRequest): Promise<ShownAlert> {
  const { alert_id: alertId } = request.params as { alert_id: string }
  const row = isId('alr', alertId) ? await findAlert(db, alertId, scopeOf(request)) : undefined
  if (!row) throw new Problem('alert_not_found', `There is no alert ${quoted(alertId)}.`)
  return row
}
