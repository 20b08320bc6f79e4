import type { Preview } from '@plimsoll/contract'
import type { RecommendationRow } from '../db/recommendations.ts'

/**
 * Several rules may speak about one target, and what one of them saves another cannot save again: of each target the
 * largest counts. What can be banked is known only when the scheduler was run again with all of them.
 */
export function previewSavings(rows: readonly RecommendationRow[]): Preview {
  const byTarget = new Map<string, number>()
  for (const row of rows) {
    const key = `${row.cluster_id} ${row.target_key}`
    const saving = Number(row.estimated_savings)
    byTarget.set(key, Math.max(byTarget.get(key) ?? saving, saving))
  }
  const estimated = [...byTarget.values()].reduce((sum, saving) => sum + saving, 0)
  return {
    currency: 'USD',
    estimated_savings: Number(estimated.toFixed(6)),
    bankable_savings: null,
    nodes_freed: [],
    blockers: [],
    recommendations: rows.length,
  }
}
