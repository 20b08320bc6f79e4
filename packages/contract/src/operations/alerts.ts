import {
  AcceptAlertBody,
  AcknowledgeAlertBody,
  Alert,
  AlertDelivery,
  AlertList,
  AlertRule,
  AlertRuleList,
  ListAlertRulesQuery,
  ListAlertsQuery,
  SetAlertDeliveryBody,
  SnoozeAlertBody,
  UpdateAlertRuleBody,
} from '../schemas/alerts.ts'
import { IfMatch } from '../schemas/common.ts'
import { AlertParams, AlertRuleParams } from '../schemas/path-params.ts'
import { operation } from './operation.ts'

export const alertOperations = {
  listAlerts: operation('GET /api/v1/alerts', {
    access: 'alerts:read',
    narrowsToTeams: true,
    tag: 'Alerts',
    summary: 'List alerts, newest first',
    description: 'A role that is limited to clusters, namespaces or teams sees only their alerts.',
    query: ListAlertsQuery,
    response: { 200: AlertList },
  }),

  getAlert: operation('GET /api/v1/alerts/:alert_id', {
    access: 'alerts:read',
    narrowsToTeams: true,
    tag: 'Alerts',
    summary: 'Show an alert',
    params: AlertParams,
    response: { 200: Alert },
  }),

  acknowledgeAlert: operation('POST /api/v1/alerts/:alert_id/acknowledge', {
    access: 'alerts:write',
    narrowsToTeams: true,
    tag: 'Alerts',
    summary: 'Acknowledge an alert',
    description:
      'Drops messages about the alert that are not sent yet. From then on, only the end of the alert is sent. The alert stays open until it is resolved.',
    params: AlertParams,
    body: AcknowledgeAlertBody,
    response: { 200: Alert },
  }),

  snoozeAlert: operation('POST /api/v1/alerts/:alert_id/snooze', {
    access: 'alerts:write',
    narrowsToTeams: true,
    tag: 'Alerts',
    summary: 'Snooze an alert',
    description: 'Sends no message about the alert until the given time, except when the alert ends.',
    params: AlertParams,
    body: SnoozeAlertBody,
    response: { 200: Alert },
  }),

  acceptAlert: operation('POST /api/v1/alerts/:alert_id/accept', {
    access: 'alerts:write',
    narrowsToTeams: true,
    tag: 'Alerts',
    summary: 'Accept the condition of an alert',
    description:
      'An incident (`cost_above_expected`) ends, and its cost is the expected cost from then on. Any other alert stays open without messages until it is resolved.',
    params: AlertParams,
    body: AcceptAlertBody,
    response: { 200: Alert },
  }),

  listAlertRules: operation('GET /api/v1/alert-rules', {
    access: 'alerts:read',
    narrowsToTeams: true,
    tag: 'Alerts',
    summary: 'List the alert rules and the delivery settings',
    query: ListAlertRulesQuery,
    response: { 200: AlertRuleList },
  }),

  updateAlertRule: operation('PATCH /api/v1/alert-rules/:rule', {
    access: 'alerts:write',
    tag: 'Alerts',
    summary: 'Turn an alert rule on or off, or change its thresholds',
    description: 'Turning a rule off resolves its alerts.',
    params: AlertRuleParams,
    headers: IfMatch,
    body: UpdateAlertRuleBody,
    response: { 200: AlertRule },
  }),

  setAlertDelivery: operation('PUT /api/v1/alert-delivery', {
    access: 'alerts:write',
    tag: 'Alerts',
    summary: 'Set quiet hours and the weekly digest',
    headers: IfMatch,
    body: SetAlertDeliveryBody,
    response: { 200: AlertDelivery },
  }),
}
