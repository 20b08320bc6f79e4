import type { Decimal } from '../decimal.ts'
import { savesMoney } from './consolidate.ts'
import { EPHEMERAL, capacityOf, usdOf } from './needs.ts'
import { needOf, type State } from './state.ts'

/** The amount of one resource for a price. */
type Supply = { readonly amount: number; readonly usd: Decimal; readonly unlimited: boolean }

/**
 * An upper bound in USD per hour for any arrangement of the same pods, as if pods could be split: for each resource the
 * cheapest nodes that hold its requests. The scarcest resource decides. Not achievable savings.
 *
 * It covers the whole cluster, including the nodes that the simulation removed, with the current requests.
 */
export function repackBound(state: State): Decimal {
  const paying = state.model.nodes.filter((_node, index) => savesMoney(state, index))
  const cost = paying.reduce((sum, node) => sum + usdOf(node), 0n)
  const { held, requested } = sumUp(state)
  let least = 0n
  state.model.resources.forEach((_name, resource) => {
    if (resource === EPHEMERAL) return
    const needed = cheapest(listSupplies(state, resource, held), requested[resource] ?? 0)
    if (needed > least) least = needed
  })
  return cost > least ? cost - least : 0n
}

/** What always stays on each node (DaemonSets), and the requests of all other pods. */
function sumUp(state: State) {
  const { resources, nodes, leavesWithNode, allocatable } = state.model
  const width = resources.length
  const held = new Float64Array(nodes.length * width)
  const moving = new Float64Array(nodes.length * width)
  state.podsOn.forEach((own, node) => {
    for (const pod of own) {
      const into = leavesWithNode[pod] === 1 ? held : moving
      const { amounts } = needOf(state, pod)
      for (let each = 0; each < width; each += 1) {
        into[node * width + each] = (into[node * width + each] ?? 0) + (amounts[each] ?? 0)
      }
    }
  })
  const requested = new Float64Array(width)
  moving.forEach((amount, at) => {
    // An over-committed node shows that its pods run with less than they request.
    const capacity = Math.max(0, (allocatable[at] ?? 0) - (held[at] ?? 0))
    requested[at % width] = (requested[at % width] ?? 0) + Math.min(amount, capacity)
  })
  return { held, requested }
}

function listSupplies(state: State, resource: number, held: Float64Array): Supply[] {
  const { nodes, poolOf, allocatable, resources } = state.model
  const ofNodes = nodes.map((node, index) => {
    const at = index * resources.length + resource
    const usd = savesMoney(state, index) ? usdOf(node) : 0n
    return { amount: Math.max(0, (allocatable[at] ?? 0) - (held[at] ?? 0)), usd, unlimited: false }
  })
  const ofTypes = [...new Set(poolOf)].flatMap((pool) =>
    pool.kind !== 'karpenter'
      ? []
      : (pool.types ?? []).map((type) => ({
          amount: capacityOf(type.allocatable, resources)[resource] ?? 0,
          usd: type.usdPerHour,
          unlimited: true,
        })),
  )
  return [...ofNodes, ...ofTypes].filter(({ amount }) => amount > 0)
}

function cheapest(supplies: readonly Supply[], requested: number): Decimal {
  const whole = supplies.map(({ amount, ...rest }) => ({ ...rest, amount: BigInt(Math.floor(amount)) }))
  // a.usd / a.amount < b.usd / b.amount, without dividing
  whole.sort(
    (a, b) => Number(a.usd * b.amount - b.usd * a.amount > 0n) - Number(a.usd * b.amount - b.usd * a.amount < 0n),
  )
  let left = BigInt(Math.floor(requested))
  let usd = 0n
  for (const supply of whole) {
    if (left <= 0n) break
    const taken = supply.unlimited || supply.amount > left ? left : supply.amount
    usd += (supply.usd * taken) / supply.amount
    left -= taken
  }
  return usd
}
