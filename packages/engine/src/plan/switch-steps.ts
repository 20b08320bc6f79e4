import { apportion } from '../apportion.ts'
import type { Decimal } from '../decimal.ts'
import { monthly } from '../packing/bankable-savings.ts'
import { findReplacement, type Replacement } from '../packing/replace-nodes.ts'
import { known } from '../packing/state.ts'
import { stepNode, type Draft } from './draft.ts'
import type { PlanItem, StepNode } from './plan.ts'
import type { Work } from './work.ts'

/**
 * Other instance types, with all earlier steps applied: a removed node saves nothing more, and a node that took over
 * pods may be too full for a smaller type. `replacements`: what the autoscaler replaces with the current requests.
 * A switch without savings is not a step.
 */
export function switchSteps(work: Work, items: readonly PlanItem[], replacements: readonly Replacement[]): Draft[] {
  return items.flatMap((item): Draft[] => {
    const swaps = swapsOf(work, item, replacements)
    const usdPerMonth = savedBy(item, swaps)
    if (usdPerMonth <= 0n) return []
    return [{ kind: 'switch', items: [item], nodes: nodesOf(work, swaps, usdPerMonth), moves: [], usdPerMonth }]
  })
}

/** A node that the autoscaler replaces, with the savings that the earlier steps leave. */
type Swap = Replacement & { readonly left: Decimal }

function swapsOf(work: Work, { pool }: PlanItem, replacements: readonly Replacement[]): Swap[] {
  return replacements
    .filter(({ node }) => pool !== undefined && known(work.state.model.nodes[node]).pool === pool)
    .map((each) => ({ ...each, left: savedNow(work, each) }))
}

function savedBy({ pool, ownUsdPerMonth }: PlanItem, swaps: readonly Swap[]): Decimal {
  if (pool === undefined) return ownUsdPerMonth
  return least(ownUsdPerMonth, monthly(swaps.reduce((sum, { left }) => sum + left, 0n)))
}

/** The nodes of the step, so that the bill proves it. Their savings add up to those of the step. */
function nodesOf({ state }: Work, swaps: readonly Swap[], usdPerMonth: Decimal): StepNode[] {
  const saving = swaps.filter(({ left }) => left > 0n)
  const parts = apportion(
    usdPerMonth,
    saving.map(({ node, left }) => ({ key: String(node), weight: left })),
  )
  return saving.map(({ node, type }) => ({
    ...stepNode(state, node),
    usdPerMonth: parts.get(String(node)) ?? 0n,
    replacedBy: type,
  }))
}

function savedNow({ state, replaced }: Work, { node, saved }: Replacement): Decimal {
  if (state.gone[node] === 1) return 0n
  return least(saved, replaced.get(node) ?? findReplacement(state, node)?.saved ?? 0n)
}

const least = (a: Decimal, b: Decimal): Decimal => (a < b ? a : b)
