import type { NodeType } from './cluster.ts'
import { CPU, EPHEMERAL, MEMORY, capacityOf } from './needs.ts'

const STEPS = 64

/**
 * A lower bound in USD per hour for any set of these types that holds the amounts. Each mix of CPU and memory gives a
 * bound: the requested mix times its cheapest price. The result is the best of several mixes and of every other
 * resource alone.
 */
export function nodeSetBound(
  requested: Float64Array,
  types: readonly NodeType[],
  resources: readonly string[],
): number {
  const capacities = types.map((type) => ({ capacity: capacityOf(type.allocatable, resources), usd: usdNumber(type) }))
  const boundOf = (weights: (each: Float64Array) => number) => {
    const cheapest = Math.min(
      ...capacities.map(({ capacity, usd }) => (weights(capacity) > 0 ? usd / weights(capacity) : Infinity)),
    )
    const amount = weights(requested)
    return amount > 0 && cheapest < Infinity ? amount * cheapest : 0
  }
  const at = (each: Float64Array, resource: number) => each[resource] ?? 0
  const scale = at(requested, MEMORY) > 0 ? at(requested, CPU) / at(requested, MEMORY) : 0
  const bounds = Array.from({ length: STEPS + 1 }, (_, step) =>
    boundOf((each) => (step / STEPS) * at(each, CPU) + (1 - step / STEPS) * scale * at(each, MEMORY)),
  )
  resources.forEach((_name, resource) => {
    if (resource !== EPHEMERAL) bounds.push(boundOf((each) => at(each, resource)))
  })
  return Math.max(...bounds)
}

export const usdNumber = ({ usdPerHour }: Pick<NodeType, 'usdPerHour'>) => Number(usdPerHour) / 1e24
