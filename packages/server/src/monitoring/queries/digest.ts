import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { DigestFigures } from '../digest.ts'

const recommendationsShown = 3

/** Undefined: no cluster has a run rate. Shifts and snoozed alerts are not listed. */
export async function loadDigestFigures(tx: Db, now: Date): Promise<DigestFigures | undefined> {
  const runRate = await sql<{ usd: string | null }>`
    select nullif(sum(s.monthly_cost), 0) as usd from cluster_state s join cluster c on c.cluster_id = s.cluster_id`.execute(
    tx,
  )
  const runRateUsd = runRate.rows[0]?.usd ?? null
  if (runRateUsd === null) return undefined
  const alerts = await sql<{ title: string }>`
    select content ->> 'title' as title from alert where state = 'firing' and accepted is null
      and unsent_reason is distinct from 'shift' and (snoozed_until is null or snoozed_until <= ${now})
    order by alert_id desc`.execute(tx)
  const open = sql`recommendation where status in ('pending', 'approved') and bankable_savings > 0
    and (snoozed_until is null or snoozed_until <= ${now})`
  const bankable = await sql<{ usd: string | null }>`select sum(bankable_savings) as usd from ${open}`.execute(tx)
  const best = await sql<{ title: string; usd: string }>`
    select title, bankable_savings as usd from ${open}
    order by bankable_savings desc limit ${recommendationsShown}`.execute(tx)
  return {
    runRateUsd: Number(runRateUsd),
    bankableUsd: Number(bankable.rows[0]?.usd ?? 0),
    alerts: alerts.rows.map(({ title }) => title),
    recommendations: best.rows.map(({ title, usd }) => ({ title, usdPerMonth: Number(usd) })),
  }
}
