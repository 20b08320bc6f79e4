import { apportion } from '../apportion.ts'
import type { Decimal } from '../decimal.ts'
import type { Freed } from './apply-proposals.ts'
import { CPU, EPHEMERAL, MEMORY, usdOf } from './needs.ts'
import { known, type State } from './state.ts'

/** By pool, the most requested resource: it decides the number of nodes. */
export type Binding = ReadonlyMap<string, number>

/**
 * Splits joint savings among proposals. The weight is the cost of the freed binding resource on the pools that shrink.
 * Nodes are whole, so a single proposal alone would nearly always free nothing. If no proposal frees any of it there,
 * freed amounts of that resource anywhere count. Then freed amounts of any resource count, then the mere change. A loss
 * is split among proposals that grow.
 *
 * The shares add up to the whole.
 */
export function shareSaving(
  state: State,
  saved: Decimal,
  { freed, shrinking, binding }: { freed: readonly Freed[]; shrinking: ReadonlySet<string>; binding: Binding },
): Map<string, Decimal> {
  if (saved === 0n) return new Map()
  const sign = saved < 0n ? -1n : 1n
  const ofBinding = (each: Freed) => bindingCost(state, each, binding) * sign
  const isThere = ({ node }: Freed) => shrinking.has(known(state.model.poolOf[node]).name)
  const weights = [
    weigh(freed.filter(isThere), ofBinding),
    weigh(freed, ofBinding),
    weigh(freed, (each) => anyCost(state, each) * sign),
    weigh(freed, () => 1n),
  ].find(({ length }) => length > 0)
  const shares = apportion(saved * sign, weights ?? [])
  return new Map([...shares].map(([id, usd]) => [id, usd * sign]))
}

function weigh(freed: readonly Freed[], costOf: (each: Freed) => bigint): { key: string; weight: bigint }[] {
  const weights = new Map<string, bigint>()
  for (const each of freed) weights.set(each.proposal, (weights.get(each.proposal) ?? 0n) + costOf(each))
  return [...weights].filter(([, weight]) => weight > 0n).map(([key, weight]) => ({ key, weight }))
}

function bindingCost(state: State, freed: Freed, binding: Binding): bigint {
  return costOf(state, freed, binding.get(known(state.model.poolOf[freed.node]).name) ?? CPU)
}

function anyCost(state: State, freed: Freed): bigint {
  return costOf(state, freed, CPU) + costOf(state, freed, MEMORY)
}

/** The whole price of a node is attributed to the binding resource. */
function costOf({ model }: State, { node, before, after }: Freed, resource: number): bigint {
  const amount = (before.amounts[resource] ?? 0) - (after?.amounts[resource] ?? 0)
  const whole = model.allocatable[node * model.resources.length + resource] ?? 0
  return whole > 0 ? (usdOf(known(model.nodes[node])) * BigInt(amount)) / BigInt(whole) : 0n
}

export function bindingResources({ model, free, gone }: State): Map<string, number> {
  const width = model.resources.length
  const sums = new Map<string, { used: Float64Array; whole: Float64Array }>()
  model.poolOf.forEach(({ name }, node) => {
    if (gone[node] === 1) return
    const sum = sums.get(name) ?? { used: new Float64Array(width), whole: new Float64Array(width) }
    for (let each = 0; each < width; each += 1) {
      const has = model.allocatable[node * width + each] ?? 0
      sum.whole[each] = (sum.whole[each] ?? 0) + has
      sum.used[each] = (sum.used[each] ?? 0) + has - (free[node * width + each] ?? 0)
    }
    sums.set(name, sum)
  })
  return new Map([...sums].map(([name, { used, whole }]) => [name, fullest(used, whole)]))
}

/** The pod count also binds on nodes full of tiny pods, but right-sizing cannot change it. */
function fullest(used: Float64Array, whole: Float64Array): number {
  let best = 0
  const share = (each: number) => (whole[each] ? (used[each] ?? 0) / whole[each] : 0)
  for (let each = 1; each < used.length - 1; each += 1) if (each !== EPHEMERAL && share(each) > share(best)) best = each
  return best
}
