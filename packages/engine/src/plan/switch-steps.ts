import type { Decimal } from '../decimal.ts'
import { monthly } from '../packing/bankable-savings.ts'
import { findReplacement, type Replacement } from '../packing/replace-nodes.ts'
import { known } from '../packing/state.ts'
import type { Draft } from './draft.ts'
import type { PlanItem } from './plan.ts'
import type { Work } from './work.ts'

/**
 * Other instance types, with all earlier steps applied: a removed node saves nothing more, and a node that took over
 * pods may be too full for a smaller type. `replacements`: what the autoscaler replaces with the current requests.
 * A switch without savings is not a step.
 */
export function switchSteps(work: Work, items: readonly PlanItem[], replacements: readonly Replacement[]): Draft[] {
  return items.flatMap((item): Draft[] => {
    const usdPerMonth = savedBy(work, item, replacements)
    return usdPerMonth > 0n ? [{ kind: 'switch', items: [item], nodes: [], moves: [], usdPerMonth }] : []
  })
}

function savedBy(work: Work, { pool, ownUsdPerMonth }: PlanItem, replacements: readonly Replacement[]): Decimal {
  if (pool === undefined) return ownUsdPerMonth
  const own = replacements.filter(({ node }) => known(work.state.model.nodes[node]).pool === pool)
  return least(ownUsdPerMonth, monthly(own.reduce((sum, each) => sum + savedNow(work, each), 0n)))
}

function savedNow({ state, replaced }: Work, { node, saved }: Replacement): Decimal {
  if (state.gone[node] === 1) return 0n
  return least(saved, replaced.get(node) ?? findReplacement(state, node)?.saved ?? 0n)
}

const least = (a: Decimal, b: Decimal): Decimal => (a < b ? a : b)
