import type { SavingsGrouping } from '@plimsoll/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Sight } from './recommendations.ts'

export type SavingsFilter = {
  clusterId?: string | undefined
  namespaces?: readonly string[] | undefined
  ruleIds?: readonly string[] | undefined
  /** First days of months, the last one exclusive. */
  from: string
  to: string
}

const kinds = [
  'estimated',
  'left_out',
  'approved',
  'implemented',
  'resolved',
  'observed',
  'verified',
  'reverted',
] as const
/** The bankable savings of these are known as well. */
const bankedKinds = ['estimated', 'approved', 'implemented'] as const

export type SavingsSum = Partial<Record<SavingsGrouping, string>> &
  Record<(typeof kinds)[number] | `${(typeof bankedKinds)[number]}_bankable`, string>

/** Open, or a user has acted on it. */
const standing = sql`status in ('pending', 'approved', 'implemented', 'resolved')`

/** Not reverted, and the newest of its target or different from the newest. */
const counted = sql`verification is distinct from 'reverted' and (place = 1 or verification is not distinct from 'verified')`

/**
 * A recommendation counts in the month of its last step, in its current state: a later rejection removes an approval. A
 * finding that returns after it was reverted or never applied counts once; one after a verified change is new. Realized
 * savings come from the ledger, which holds only observed changes.
 */
export async function sumSavings(
  db: Db,
  { clusters, namespaces }: Sight,
  filter: SavingsFilter,
  by: readonly SavingsGrouping[],
): Promise<SavingsSum[]> {
  const seen = [
    sql`exists (select from cluster c where c.cluster_id = e.cluster_id)`,
    ...(clusters === null ? [] : [sql`e.cluster_id = any(${clusters})`]),
    ...(namespaces === null ? [] : [sql`e.namespace = any(${namespaces})`]),
    ...(filter.clusterId === undefined ? [] : [sql`e.cluster_id = ${filter.clusterId}`]),
    ...(filter.namespaces === undefined ? [] : [sql`e.namespace = any(${filter.namespaces})`]),
    ...(filter.ruleIds === undefined ? [] : [sql`e.rule_id = any(${filter.ruleIds})`]),
    // Known by month only: with days they would appear on the first day of the month.
    ...(by.includes('day') ? [sql`e.kind not in ('verified', 'reverted')`] : []),
    sql`e.at >= ${filter.from}::timestamptz and e.at < ${filter.to}::timestamptz`,
  ]
  const columns = {
    day: sql`to_char(e.at at time zone 'UTC', 'YYYY-MM-DD')`,
    month: sql`to_char(e.at at time zone 'UTC', 'YYYY-MM')`,
    cluster: sql`e.cluster_id`,
    namespace: sql`e.namespace`,
    rule: sql`e.rule_id`,
  }
  const groups = by.map((name) => sql`${columns[name]} as ${sql.ref(name)}`)
  const sumOf = (column: string, kind: string, name: string) =>
    sql`round(coalesce(sum(${sql.ref(column)}) filter (where e.kind = ${sql.lit(kind)}), 0), 6) as ${sql.ref(name)}`
  const sums = [
    ...kinds.map((kind) => sumOf('e.usd', kind, kind)),
    ...bankedKinds.map((kind) => sumOf('e.bankable', kind, `${kind}_bankable`)),
  ]
  const places = by.map((_name, index) => sql.raw(String(index + 1)))
  const grouped = by.length === 0 ? sql`` : sql`group by ${sql.join(places)} order by ${sql.join(places)}`
  const { rows } = await sql<SavingsSum>`
    with found as (
      select *, row_number() over (partition by cluster_id, rule_id, target_key, verification is not distinct from 'reverted'
        order by created_at desc, recommendation_id desc) as place
      from recommendation where ${standing}),
    e as (
      select cluster_id, namespace, rule_id, created_at as at,
        case when ${counted} then 'estimated' else 'left_out' end as kind, estimated_savings as usd,
        bankable_savings as bankable
      from found
      union all
      select cluster_id, namespace, rule_id, approved_at, 'approved', estimated_savings, bankable_savings
      from recommendation where approved_at is not null
      union all
      select cluster_id, namespace, rule_id, done_at,
        case when status = 'resolved' then 'resolved' else 'implemented' end, estimated_savings, bankable_savings
      from recommendation where done_at is not null and status in ('implemented', 'resolved')
      union all
      select cluster_id, namespace, rule_id, done_at, 'observed', (verification_detail->>'observed_savings')::numeric, null
      from recommendation where done_at is not null and status in ('implemented', 'resolved')
      union all
      select cluster_id, namespace, rule_id, month::timestamp at time zone 'UTC', 'verified', verified_usd, null
      from savings_ledger
      union all
      select cluster_id, namespace, rule_id, month::timestamp at time zone 'UTC', 'reverted', reverted_usd, null
      from savings_ledger)
    select ${sql.join([...groups, ...sums])} from e where ${sql.join(seen, sql` and `)} ${grouped}`.execute(db)
  return rows
}
