import { divideRounded, type Decimal } from '../decimal.ts'
import { groupBy } from '../group-by.ts'
import { RESOURCES, type Resource } from '../units.ts'
import type { Capacity, CapacityTotals } from './capacity-change.ts'
import { effectKey, type EffectKey } from './effect-key.ts'
import type { Comparison, Pair } from './known-time.ts'
import { meanPrice, NOTHING } from './quantity-change.ts'
import { giveRest } from './settle.ts'

/** The capacity of one node in one class. Null: the node did not run in that window. */
export type NodeCapacity = { readonly uid: string; readonly classKey: string } & Pair<Capacity | null>

/**
 * The share of each node in the effect `nodes` of its class: the difference of its capacity at the mean price of the
 * class. The nodes of a class add up to the effect.
 */
export function nodeEffects(
  nodes: readonly NodeCapacity[],
  totals: CapacityTotals,
  ofCapacity: ReadonlyMap<EffectKey, Decimal>,
  comparison: Comparison,
): Map<string, Decimal> {
  const effects = new Map<string, Decimal>()
  if (comparison.kind === 'single') return effects
  for (const [classKey, own] of groupBy(nodes, (node) => node.classKey)) {
    const amounts = own.map((node) => nodeAmount(node, totals, comparison))
    giveRest(amounts, ofCapacity.get(effectKey('idle', 'nodes', classKey)) ?? 0n)
    own.forEach(({ uid }, at) => effects.set(uid, (effects.get(uid) ?? 0n) + (amounts[at] ?? 0n)))
  }
  return effects
}

type Scaled = Extract<Comparison, { kind: 'scaled' }>

function nodeAmount(node: NodeCapacity, { classes }: CapacityTotals, { scale, divisor }: Scaled): Decimal {
  const difference = (resource: Resource) =>
    (node.now?.[resource] ?? 0n) * scale.now - (node.before?.[resource] ?? 0n) * scale.before
  return RESOURCES.reduce((sum, resource) => {
    const price = meanPrice(classes.get(node.classKey)?.[resource] ?? { before: NOTHING, now: NOTHING })
    return sum + divideRounded(difference(resource) * price.dividend, divisor * price.divisor)
  }, 0n)
}

/** `kept`: the node ran through both windows. */
export type NodeMovement = 'removed' | 'added' | 'kept'

/**
 * A node that started or ended within the windows is added or removed by the sign of its effect, so that a node that ended
 * on the third day counts with the days that it no longer costs.
 */
export function nodeMovement(node: Pair<boolean> & { readonly isWholeLife: boolean }, effect: Decimal): NodeMovement {
  if (node.before !== node.now) return node.before ? 'removed' : 'added'
  if (node.isWholeLife || effect === 0n) return 'kept'
  return effect < 0n ? 'removed' : 'added'
}
