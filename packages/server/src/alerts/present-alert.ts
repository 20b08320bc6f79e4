import { alertActions, type Alert, type AlertAction } from '@plimsoll/contract'
import type { ShownAlert } from './queries/alerts.ts'

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
