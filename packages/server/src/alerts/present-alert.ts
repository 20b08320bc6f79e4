import { alertActions, type Alert, type AlertAction } from '@plimsoll/contract'
import type { Caller } from '../platform/auth/caller.ts'
import type { Db } from '../platform/db/database.ts'
import { listAlerts, type ShownAlert } from './queries/alerts.ts'

export const presentAlert = (row: ShownAlert, mayWrite: boolean): Alert => ({
  id: row.alert_id,
  rule: row.rule,
  state: row.state,
  severity: row.content.severity,
  title: row.content.title,
  facts: row.content.facts,
  money: row.content.money,
  url: row.content.links[0]?.url ?? null,
  cluster_id: row.cluster_id,
  namespace: row.namespace,
  team: row.team,
  started_at: row.fired_at?.toISOString() ?? null,
  resolved_at: row.resolved_at?.toISOString() ?? null,
  acknowledged: row.acknowledged,
  snoozed_until: row.snoozed_until?.toISOString() ?? null,
  accepted: row.accepted,
  sent: row.sent,
  unsent_reason: row.unsent_reason,
  allowed_actions: mayWrite ? allowedActions(row) : [],
})

const allowedActions = ({ state, acknowledged, accepted }: ShownAlert): AlertAction[] =>
  alertActions.filter((action) => {
    if (state === 'resolved' || accepted) return false
    return action !== 'acknowledge' || !acknowledged
  })

const incidentsShown = 5

/** The newest open incidents that the caller may see. A shift is not an incident. */
export async function loadOpenIncidents(tx: Db, caller: Caller, clusterId: string | undefined): Promise<Alert[]> {
  const rows = await listAlerts(tx, {
    scope: caller,
    state: 'open',
    rule: 'cost_above_expected',
    clusterId,
    after: undefined,
    limit: incidentsShown,
    hasShifts: false,
  })
  const mayWrite = caller.permissions.has('alerts:write')
  return rows.map((row) => presentAlert(row, mayWrite))
}
