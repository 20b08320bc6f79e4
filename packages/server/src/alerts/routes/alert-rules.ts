import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  alertRuleIncludes,
  openAlertsShown,
  operations,
  type Alert,
  type AlertDelivery,
  type AlertRule,
  type AlertRuleName,
} from '@plimsoll/contract'
import { dayMs, roundToNumber } from '@plimsoll/engine'
import type { FastifyRequest } from 'fastify'
import { changedFields, recordChange } from '../../audit/index.ts'
import { presentChannels } from '../../channels/index.ts'
import { demandWholeFleet, seesWholeFleet } from '../../platform/auth/whole-fleet.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { change } from '../../platform/http/change.ts'
import { demandMatch, withEtag } from '../../platform/http/etag.ts'
import { handle } from '../../platform/http/handle.ts'
import { Problem, quoted, type FieldError } from '../../platform/http/problem.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { severalOf } from '../../platform/http/several-of.ts'
import { scopeOf } from '../alert-access.ts'
import { endRule } from '../evaluate-rule.ts'
import {
  findIncidentThreshold,
  listRules,
  lockRule,
  thresholdsOf,
  writeRule,
  type RuleSetting,
} from '../queries/alert-rules.ts'
import { presentAlert } from '../present-alert.ts'
import { countFired, listAlerts } from '../queries/alerts.ts'
import { findDelivery, lockDelivery, writeDelivery, type DeliverySettings } from '../queries/delivery-settings.ts'
import { ruleCatalogue } from '../alert-rule-catalogue.ts'

const monthMs = 30 * dayMs

export const alertRuleRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  const since = () => new Date(deps.now().getTime() - monthMs)

  handle(app, operations.listAlertRules, {
    handler: async (request) => {
      const included = severalOf('include', request.query.include, alertRuleIncludes) ?? []
      const fired = await countFired(deps.db, since(), scopeOf(request))
      const rules = await listRules(deps.db)
      const threshold = await findIncidentThreshold(deps.db)
      return {
        alert_rules: rules.map((rule) => presentRule(rule, fired.get(rule.rule) ?? 0, threshold)),
        delivery: presentDelivery(await findDelivery(deps.db)),
        ...(included.includes('alerts') ? { alerts: await openAlerts(deps.db, request) } : {}),
        ...(included.includes('channels') && maySeeChannels(request)
          ? { channels: await presentChannels(deps.db) }
          : {}),
      }
    },
  })

  handle(app, operations.updateAlertRule, {
    preParsing: [demandWholeFleet, demandRule],
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const before = await lockRule(tx, request.params.rule as AlertRuleName)
        demandMatch(request, before.revision)
        const { enabled = before.isOn, thresholds = {} } = request.body
        demandThresholds(before.rule, thresholds)
        const changed = { ...before.changed, ...thresholds }
        const after = { rule: before.rule, isOn: enabled, changed, revision: before.revision + 1 }
        await writeRule(tx, after, deps.now())
        if (before.isOn && !enabled) await endRule(tx, before.rule, deps.now())
        const target = { type: 'alert_rule' as const, id: before.rule }
        const detail = changedFields(audited(before), audited(after))
        await recordChange(deps, tx, request, { action: 'alert_rule.update', target, detail })
        const fired = await countFired(tx, since(), scopeOf(request))
        const body = presentRule(after, fired.get(before.rule) ?? 0, await findIncidentThreshold(tx))
        return { status: 200, body, headers: { etag: body.etag } }
      }),
  })

  handle(app, operations.setAlertDelivery, {
    preParsing: demandWholeFleet,
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const before = await lockDelivery(tx)
        demandMatch(request, before.revision)
        const { quiet_hours: hours, quiet_weekends, weekly_digest } = request.body
        if (hours) demandQuietHours(hours)
        await writeDelivery(tx, {
          quiet_from: hours === null ? null : minutesOf(hours.from),
          quiet_to: hours === null ? null : minutesOf(hours.to),
          quiet_weekends,
          sends_digest: weekly_digest,
        })
        const body = presentDelivery(await findDelivery(tx))
        const detail = changedFields(shownDelivery(before), request.body)
        const target = { type: 'alert_delivery' as const, id: 'alert_delivery' }
        await recordChange(deps, tx, request, { action: 'alert_delivery.set', target, detail })
        return { status: 200, body, headers: { etag: body.etag } }
      }),
  })
}

/** Equal times could mean no quiet hours or the whole day. */
function demandQuietHours({ from, to }: { from: string; to: string }): void {
  if (from !== to) return
  const detail = 'must differ from the start'
  const errors = [{ pointer: '/quiet_hours/to', code: 'range', detail }]
  throw new Problem('invalid_body', `/quiet_hours/to: ${detail}.`, { errors })
}

async function openAlerts(db: Db, request: FastifyRequest): Promise<Alert[]> {
  const all = { rule: undefined, clusterId: undefined, after: undefined, limit: openAlertsShown }
  const rows = await listAlerts(db, { scope: scopeOf(request), state: 'open', ...all })
  return rows.map((row) => presentAlert(row, requestCaller(request).permissions.has('alerts:write')))
}

function maySeeChannels(request: FastifyRequest): boolean {
  const caller = requestCaller(request)
  return caller.permissions.has('webhooks:read') && seesWholeFleet(caller)
}

/** Before the body is read. */
async function demandRule(request: FastifyRequest): Promise<void> {
  const { rule } = request.params as { rule: string }
  if (!Object.hasOwn(ruleCatalogue, rule))
    throw new Problem('alert_rule_not_found', `There is no alert rule ${quoted(rule)}.`)
}

function demandThresholds(rule: AlertRuleName, thresholds: Readonly<Record<string, number>>): void {
  const errors = Object.entries(thresholds).flatMap(([name, value]): FieldError[] => {
    const pointer = `/thresholds/${name}`
    const known = ruleCatalogue[rule].thresholds
    const limits = Object.hasOwn(known, name) ? known[name] : undefined
    if (!limits) return [{ pointer, code: 'unknown', detail: `is not a threshold of the rule ${rule}` }]
    const { minimum, maximum } = limits
    return value >= minimum && value <= maximum
      ? []
      : [{ pointer, code: 'range', detail: `must be between ${minimum} and ${maximum}` }]
  })
  const [first] = errors
  if (first) throw new Problem('invalid_body', `${first.pointer ?? ''}: ${first.detail}.`, { errors })
}

const audited = ({ rule, isOn, changed }: RuleSetting) => ({ enabled: isOn, ...thresholdsOf(rule, changed) })

function presentRule(
  { rule, isOn, changed, revision }: RuleSetting,
  fired: number,
  incidentThreshold: bigint | undefined,
): AlertRule {
  const { thresholds, forMs, holdMs, isUrgent } = ruleCatalogue[rule]
  return withEtag(revision, {
    rule,
    enabled: isOn,
    thresholds: Object.entries(thresholds).map(([name, each]) => ({
      name,
      value: changed[name] ?? each.default,
      ...each,
    })),
    for_minutes: forMs / 60_000,
    hold_minutes: holdMs / 60_000,
    urgent: isUrgent,
    fired_30_days: fired,
    note:
      rule === 'cost_above_expected' && incidentThreshold !== undefined
        ? `Alerts above $${roundToNumber(incidentThreshold).toFixed(2)}/day`
        : null,
  })
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
const two = (value: number) => String(value).padStart(2, '0')
const timeOf = (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`

const shownDelivery = ({ quiet_from: from, quiet_to: to, quiet_weekends, sends_digest }: DeliverySettings) => ({
  quiet_hours: from === null || to === null ? null : { from: timeOf(from), to: timeOf(to) },
  quiet_weekends,
  weekly_digest: sends_digest,
})

const presentDelivery = (row: DeliverySettings): AlertDelivery => withEtag(row.revision, shownDelivery(row))
