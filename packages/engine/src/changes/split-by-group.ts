import { compare } from '../apportion.ts'
import { divideRounded, type Decimal } from '../decimal.ts'
import { addEffect, effectKey, sumEffects, type EffectSums } from './effect-key.ts'
import type { Pair } from './known-time.ts'
import { giveRest } from './settle.ts'
import type { CostPart } from '../vocabulary/changes.ts'

/** The cost of one owner in one group, such as a team. */
export type GroupCost = Pair<Decimal> & { readonly group: string }

/**
 * Splits the effects of one owner over its groups, in proportion to their cost in both windows. The rest of the
 * difference of a group is `moved`: the owner changed its team or label. Over all groups, `moved` adds up to 0.
 */
export function splitByGroup<Group extends GroupCost>(
  effects: EffectSums,
  groups: readonly Group[],
  part: CostPart,
): (Group & { effects: EffectSums })[] {
  if (groups.length === 1) return groups.map((group) => ({ ...group, effects }))
  const split = [...groups]
    .sort((a, b) => compare(a.group, b.group))
    .map((group) => ({ ...group, effects: new Map() as EffectSums }))
  const weights = split.map(({ before, now }) => before + now)
  for (const [key, usd] of effects) {
    const shares = splitEffect(usd, weights)
    split.forEach((group, at) => addEffect(group.effects, key, shares[at] ?? 0n))
  }
  for (const { before, now, effects: own } of split) {
    addEffect(own, effectKey(part, 'moved'), now - before - sumEffects(own))
  }
  return split
}

function splitEffect(usd: Decimal, weights: readonly bigint[]): bigint[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0n)
  const shares = weights.map((weight) => (whole === 0n ? 0n : divideRounded(usd * weight, whole)))
  giveRest(shares, usd)
  return shares
}
