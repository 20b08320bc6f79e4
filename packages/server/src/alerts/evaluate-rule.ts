import type { AlertRuleName, UnsentReason } from '@plimsoll/contract'
import { advanceAlert, type AlertLife } from '@plimsoll/engine/alerts'
import type { Db } from '../platform/db/database.ts'
import { newId } from '../platform/ids.ts'
import type { AlertCondition } from './condition.ts'
import { announce, noticeEnds, noticeFirings } from './notices.ts'
import { lockRule } from './queries/alert-rules.ts'
import {
  deleteAlerts,
  identityOf,
  listKnownAlerts,
  setUnsentReason,
  writeAlerts,
  type AlertChange,
  type AlertRow,
} from './queries/alerts.ts'
import { ruleCatalogue } from './alert-rule-catalogue.ts'

export type RuleEvaluation = {
  rule: AlertRuleName
  /** At least all true conditions of the rule, and those without data. */
  conditions: readonly AlertCondition[]
  /** Open alerts without a condition count as false, except these: their data is missing, or another evaluation includes them. */
  isUnknown?: (alert: { entity: string; period: string; clusterId: string | null }) => boolean
}

/**
 * Advances the alerts of a rule, and queues their messages in the same transaction. The database allows one open alert for
 * each rule, entity and period. Safe to repeat: an evaluation that is not newer than the last one changes nothing.
 */
export async function evaluateRule(
  tx: Db,
  { rule, conditions, isUnknown = () => false }: RuleEvaluation,
  now: Date,
): Promise<void> {
  const { isOn } = await lockRule(tx, rule)
  if (!isOn) return
  const asked = new Map(conditions.map((each) => [identityOf(each), each]))
  const wanted = [...asked].filter(([, { isTrue }]) => isTrue).map(([identity]) => identity)
  const known = await listKnownAlerts(tx, rule, wanted)
  // The open alert of an identity has the last word: the clock of another server may have given it a smaller ID.
  const openLast = [...known].sort((a, b) => Number(b.state === 'resolved') - Number(a.state === 'resolved'))
  const newest = new Map(openLast.map((row) => [identityOf(row), row]))
  const steps = [
    ...[...asked].map(([identity, condition]) => ({ row: newest.get(identity), condition })),
    ...known
      .filter((row) => row.state !== 'resolved' && !asked.has(identityOf(row)))
      .filter(({ entity, period, cluster_id: clusterId }) => !isUnknown({ entity, period, clusterId }))
      .map((row) => ({ row, condition: conditionOf(row, false) })),
  ].flatMap((each) => advanced(rule, each, now))
  await store(tx, steps, now)
}

/** Resolves all alerts of a rule at once: the rule was turned off. */
export async function endRule(tx: Db, rule: AlertRuleName, now: Date): Promise<void> {
  await endAlerts(tx, await listKnownAlerts(tx, rule, []), now)
}

export async function endAlerts(tx: Db, rows: readonly AlertRow[], now: Date): Promise<void> {
  const steps = rows.map((row): Step => {
    const change = { ...changeOf(row), state: 'resolved' as const, observed_at: now, resolved_at: now }
    return { change, transition: row.state === 'firing' ? 'resolved' : null, isNew: false }
  })
  await store(tx, steps, now)
}

/** Ends the alerts of an entity at once: the entity was deleted. */
export async function endEntity(tx: Db, rule: AlertRuleName, entity: string, now: Date): Promise<void> {
  await lockRule(tx, rule)
  const open = await listKnownAlerts(tx, rule, [])
  await endAlerts(
    tx,
    open.filter((row) => row.entity === entity),
    now,
  )
}

type Step = {
  change: AlertChange
  transition: 'firing' | 'resolved' | null
  isNew: boolean
  unsent?: UnsentReason | undefined
}

function advanced(
  rule: AlertRuleName,
  { row, condition }: { row: AlertRow | undefined; condition: AlertCondition },
  now: Date,
): Step[] {
  const definition = ruleCatalogue[rule]
  if (row?.state === 'resolved' && definition.isOnce) return []
  const before = row ? lifeOf(row) : null
  const { life, transition } = advanceAlert(before, { at: now.getTime(), isTrue: condition.isTrue }, definition)
  if (!life || life === before) return []
  const isNew = row === undefined || row.state === 'resolved'
  const base = isNew ? newAlert(rule, condition, now) : changeOf(row)
  const change: AlertChange = {
    ...base,
    ...(condition.isTrue ? { ...placeOf(condition), content: condition.content } : {}),
    is_urgent: condition.isTrue ? (condition.isUrgent ?? definition.isUrgent) : base.is_urgent,
    state: life.state,
    true_since: dateOf(life.trueSince),
    false_since: dateOf(life.falseSince),
    observed_at: new Date(life.observedAt),
    ...(transition === 'firing' ? { fired_at: now } : {}),
    ...(life.state === 'resolved' ? { resolved_at: now } : {}),
  }
  return [{ change, transition, isNew, unsent: condition.unsent }]
}

const dateOf = (at: number | null) => (at === null ? null : new Date(at))

const lifeOf = ({ state, true_since, false_since, observed_at }: AlertRow): AlertLife => ({
  state,
  trueSince: true_since?.getTime() ?? null,
  falseSince: false_since?.getTime() ?? null,
  observedAt: observed_at.getTime(),
})

const changeOf = ({
  acknowledged: _acknowledged,
  accepted: _accepted,
  snoozed_until: _snoozed,
  unsent_reason: _unsent,
  revision: _revision,
  ...row
}: AlertRow): AlertChange => row

/** Decides who sees the alert. It follows the content, because both may change. */
const placeOf = ({ clusterId, namespace, team, scope }: AlertCondition) => ({
  cluster_id: clusterId,
  namespace,
  team: team ?? null,
  scope: scope ?? null,
})

const conditionOf = (row: AlertRow, isTrue: boolean): AlertCondition => ({
  entity: row.entity,
  period: row.period,
  isTrue,
  clusterId: row.cluster_id,
  namespace: row.namespace,
  team: row.team,
  ...(row.scope ? { scope: row.scope } : {}),
  content: row.content,
})

const newAlert = (rule: AlertRuleName, condition: AlertCondition, now: Date): AlertChange => ({
  alert_id: newId('alr', now),
  rule,
  entity: condition.entity,
  period: condition.period ?? '',
  ...placeOf(condition),
  state: 'pending',
  is_urgent: false,
  content: condition.content,
  opened_at: now,
  true_since: null,
  false_since: null,
  observed_at: now,
  fired_at: null,
  resolved_at: null,
})

/** An alert that never fired leaves no trace. */
async function store(tx: Db, steps: readonly Step[], now: Date): Promise<void> {
  const isTraceless = ({ change }: Step) => change.state === 'resolved' && change.fired_at === null
  await deleteAlerts(
    tx,
    steps.filter((step) => isTraceless(step) && !step.isNew).map(({ change }) => change.alert_id),
  )
  const kept = steps.filter((step) => !isTraceless(step))
  await writeAlerts(
    tx,
    kept.map(({ change }) => change),
  )
  const changed = (wanted: Step['transition']) =>
    kept.filter(({ transition }) => transition === wanted).map(({ change }) => change)
  await noticeEnds(tx, changed('resolved'), now)
  const silent = kept.filter(({ transition, unsent }) => transition === 'firing' && unsent !== undefined)
  const silentIds = new Set(silent.map(({ change }) => change.alert_id))
  await noticeFirings(
    tx,
    changed('firing').filter((change) => !silentIds.has(change.alert_id)),
    now,
  )
  for (const { change, unsent = null } of silent) await setUnsentReason(tx, [change.alert_id], unsent)
}

/** Another message about an open alert: its incident grew. `transition` names the change among the messages of the alert. */
export async function announceAgain(
  tx: Db,
  { rule, entity, transition }: { rule: AlertRuleName; entity: string; transition: string },
  now: Date,
): Promise<void> {
  const open = (await listKnownAlerts(tx, rule, [])).filter((row) => row.entity === entity && row.state === 'firing')
  await announce(tx, open.map(changeOf), transition, now)
}
