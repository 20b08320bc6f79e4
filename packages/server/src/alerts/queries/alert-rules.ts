import type { AlertRuleName } from '@plimsoll/contract'
import { sql, type Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { ruleCatalogue } from '../alert-rule-catalogue.ts'

export type RuleSetting = { rule: AlertRuleName; isOn: boolean; changed: Record<string, number>; revision: number }

/** Evaluations and edits of one rule run in turn. */
export async function lockRule(tx: Db, rule: AlertRuleName): Promise<RuleSetting> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`plimsoll alert rule ${rule}`}, 0))`.execute(tx)
  return findRule(tx, rule)
}

async function findRule(db: Db, rule: AlertRuleName): Promise<RuleSetting> {
  return settingOf(rule, await db.selectFrom('alert_rule').selectAll().where('rule', '=', rule).executeTakeFirst())
}

/** A rule without a row has its defaults. */
const settingOf = (rule: AlertRuleName, row: Selectable<Tables['alert_rule']> | undefined): RuleSetting =>
  row
    ? { rule, isOn: row.is_on, changed: row.thresholds, revision: row.revision }
    : { rule, isOn: true, changed: {}, revision: 0 }

export async function listRules(db: Db): Promise<RuleSetting[]> {
  const rows = await db.selectFrom('alert_rule').selectAll().execute()
  return (Object.keys(ruleCatalogue) as AlertRuleName[]).map((rule) =>
    settingOf(
      rule,
      rows.find((each) => each.rule === rule),
    ),
  )
}

/** The thresholds of a rule, with defaults for unchanged ones. */
export async function loadThresholds(db: Db, rule: AlertRuleName): Promise<Record<string, number>> {
  const { changed } = await findRule(db, rule)
  return thresholdsOf(rule, changed)
}

export const thresholdsOf = (rule: AlertRuleName, changed: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(
    Object.entries(ruleCatalogue[rule].thresholds).map(([name, each]) => [name, changed[name] ?? each.default]),
  )

/** The amount a day above which incidents open. Undefined: not computed yet. */
export async function findIncidentThreshold(db: Db): Promise<bigint | undefined> {
  const { rows } = await sql<{ threshold: string | null }>`select threshold from incident_state`.execute(db)
  const threshold = rows[0]?.threshold ?? null
  return threshold === null ? undefined : BigInt(threshold)
}

export async function writeRule(tx: Db, { rule, isOn, changed, revision }: RuleSetting, now: Date): Promise<void> {
  const values = { is_on: isOn, thresholds: JSON.stringify(changed), revision, updated_at: now }
  await tx
    .insertInto('alert_rule')
    .values({ rule, ...values })
    .onConflict((conflict) => conflict.column('rule').doUpdateSet(values))
    .execute()
}
