import type { VerificationState } from '@plimsoll/contract'
import { sql, type Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { RecommendationRow } from './recommendations.ts'
import type { Tables } from '../../platform/db/tables.ts'

export type SuppressionRow = Selectable<Tables['recommendation_suppression']> & {
  /** Of a suppressed finding: `reverted` if it was applied and reverted, not rejected. */
  verification: VerificationState | null
}

const suppressionDays = 30

/** A rejected or reverted recommendation is not repeated before this time. */
export const suppressedUntil = (now: Date) => new Date(now.getTime() + suppressionDays * 86_400_000)

/** The newest suppression counts. */
export async function suppress(tx: Db, rows: readonly RecommendationRow[], until: Date): Promise<void> {
  if (rows.length === 0) return
  const values = rows.map((row) => ({
    cluster_id: row.cluster_id,
    rule_id: row.rule_id,
    target_key: row.target_key,
    recommendation_id: row.recommendation_id,
    namespace: row.namespace,
    until,
    basis: row.basis,
    estimated_savings: row.estimated_savings,
  }))
  await tx
    .insertInto('recommendation_suppression')
    .values(values)
    .onConflict((conflict) =>
      conflict.columns(['cluster_id', 'rule_id', 'target_key']).doUpdateSet((eb) => ({
        recommendation_id: eb.ref('excluded.recommendation_id'),
        until: eb.ref('excluded.until'),
        basis: eb.ref('excluded.basis'),
        estimated_savings: eb.ref('excluded.estimated_savings'),
      })),
    )
    .execute()
}

export async function liftSuppression(tx: Db, row: RecommendationRow): Promise<void> {
  await tx
    .deleteFrom('recommendation_suppression')
    .where('cluster_id', '=', row.cluster_id)
    .where('rule_id', '=', row.rule_id)
    .where('target_key', '=', row.target_key)
    .execute()
}

export function listSuppressions(tx: Db, clusterId: string, now: Date): Promise<SuppressionRow[]> {
  return tx
    .selectFrom('recommendation_suppression as s')
    .leftJoin('recommendation as r', (join) =>
      join.onRef('r.cluster_id', '=', 's.cluster_id').onRef('r.recommendation_id', '=', 's.recommendation_id'),
    )
    .selectAll('s')
    .select('r.verification')
    .where('s.cluster_id', '=', clusterId)
    .where('s.until', '>', now)
    .execute()
}

export async function deleteEndedSuppressions(tx: Db, clusterId: string, now: Date): Promise<void> {
  await sql`delete from recommendation_suppression where cluster_id = ${clusterId} and until <= ${now}`.execute(tx)
}
