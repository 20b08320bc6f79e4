import { apportion } from '../apportion.ts'
import type { Decimal } from '../decimal.ts'
import type { Freed } from './apply-proposals.ts'
import { CPU, EPHEMERAL, MEMORY, usdOf } from './needs.ts'
import { known, type State } from './state.ts'

/** By pool, the position of the resource of which most is taken: the one that decides how many nodes it needs. */
export type Binding = ReadonlyMap<string, number>

/**
 * Who gets how much of a joint saving. Each counts with the cost of what it frees of the binding resource, on the pools that
 * shrink; nodes are whole, so what a single one would free alone is nearly always nothing. If none of them frees anything of
 * that there (pods of one pool made room in another), what they free anywhere counts, then what they free of any resource,
 * and in the end just that they changed something. A loss is shared by those that grow.
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

/** A node is there for the resource that binds, so its whole price is the price of that. */
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

/** The count of pods binds too where nodes are full of tiny pods, but nobody can right-size it. */
function fullest(used: Float64Array, whole: Float64Array): number {
  let best = 0
  const share = (each: number) => (whole[each] ? (used[each] ?? 0) / whole[each] : 0)
  for (let each = 1; each < used.length - 1; each += 1) if (each !== EPHEMERAL && share(each) > share(best)) best = each
  return best
}
