import type { SharingSettings } from '@plimsoll/contract'
import type { Dimension } from '@plimsoll/engine/allocation'
import { TEAM_DIMENSION } from './parse-grouping.ts'
import type { PricedRow } from './priced-rows.ts'
import { isShared, shareRows, type SharingOptions } from './share-rows.ts'

/** The rules of the installation, with which statements, budgets and `share=statements` share costs. */
export const optionsOf = ({ idle, overhead, namespaces, namespaces_by: by }: SharingSettings): SharingOptions => ({
  shareIdle: idle,
  shareOverhead: overhead,
  shareNamespaces: { names: new Set(namespaces), by },
})

/** What the rows need, so that the rules can be applied. Proportional shares do not depend on the teams. */
export function dimensionsOfSharing({ idle, overhead, namespaces, namespaces_by: by }: SharingSettings): Dimension[] {
  const isEven = idle === 'even' || overhead === 'even' || (namespaces.length > 0 && by === 'even')
  return [...(isEven ? [TEAM_DIMENSION] : []), ...(namespaces.length > 0 ? (['namespace'] as const) : [])]
}

/** The rows of one cluster and one UTC day, so that the cost of days adds up to the cost of any longer period. */
export function shareAmongTeams(rows: PricedRow[], sharing: SharingSettings): PricedRow[] {
  const options = optionsOf(sharing)
  if (!isShared(options)) return rows
  const grouping = { side: 'workloads' as const, names: ['team'], dimensions: [TEAM_DIMENSION] }
  return shareRows(rows, { ...options, grouping, isNested: false, weights: new Map() })
}
