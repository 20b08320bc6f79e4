import { compare } from '../apportion.ts'
import type { Decimal } from '../decimal.ts'
import { usdFor, type NodeRates } from '../pricing/rate.ts'
import { RESOURCES, type Resource } from '../units.ts'
import { addEffect, effectKey, readEffectKey, sumEffects, type EffectKey, type EffectSums } from './effect-key.ts'
import { hoursCells, singleCells, type Comparison, type Pair } from './known-time.ts'
import { addPriced, NOTHING, quantityAndPriceCells, type Priced } from './quantity-change.ts'
import { settle, type Cell } from './settle.ts'

/** Capacity of nodes in unit-seconds, at one rate. Null: none in that window. */
export type RatedCapacity = { readonly classKey: string; readonly rates: NodeRates } & Pair<Capacity | null>

export type Capacity = Readonly<Record<Resource, bigint>>

/** The capacity of each node class, with its cost. */
export type CapacityTotals = {
  readonly usd: Pair<Decimal>
  readonly classes: ReadonlyMap<string, Readonly<Record<Resource, Pair<Priced>>>>
}

type MutableClass = Record<Resource, { before: Priced; now: Priced }>

export function capacityTotals(capacities: readonly RatedCapacity[]): CapacityTotals {
  const usd = { before: 0n, now: 0n }
  const classes = new Map<string, MutableClass>()
  for (const { classKey, rates, ...sides } of capacities) {
    const ofClass = classes.get(classKey) ?? { cpu: empty(), memory: empty(), gpu: empty() }
    classes.set(classKey, ofClass)
    for (const side of SIDES) {
      for (const resource of RESOURCES) {
        const quantity = sides[side]?.[resource] ?? 0n
        const priced = { quantity, usd: usdFor(quantity, rates[resource]) }
        usd[side] += priced.usd
        ofClass[resource][side] = addPriced(ofClass[resource][side], priced)
      }
    }
  }
  return { usd, classes }
}

/** The change of the node cost: nodes and price, by class. */
export function capacityEffects(totals: CapacityTotals, comparison: Comparison): EffectSums {
  return settle(capacityCells(totals, comparison), totals.usd.now - totals.usd.before)
}

function capacityCells({ usd, classes }: CapacityTotals, comparison: Comparison): Cell[] {
  if (comparison.kind === 'single') return singleCells('idle', usd, comparison.effect)
  const ofClasses = [...classes].sort(([a], [b]) => compare(a, b))
  const cells = ofClasses.flatMap(([classKey, resources]) => {
    const keys = { quantity: effectKey('idle', 'nodes', classKey), price: effectKey('idle', 'price', classKey) }
    return RESOURCES.flatMap((resource) => quantityAndPriceCells(resources[resource], comparison, keys))
  })
  return [...hoursCells('idle', usd, comparison), ...cells]
}

/**
 * The change of idle cost: the effects on the capacity, less those on the workloads of the cluster. Capacity that
 * workloads took or returned is `allocated`. The effects of workloads and idle together are those of the nodes.
 */
export function idleEffects(
  ofCapacity: ReadonlyMap<EffectKey, Decimal>,
  ofWorkloads: ReadonlyMap<EffectKey, Decimal>,
  difference: Decimal,
): EffectSums {
  const sums: EffectSums = new Map(ofCapacity)
  for (const [key, usd] of ofWorkloads) addEffect(sums, idleKeyFor(key, ofCapacity), -usd)
  addEffect(sums, ALLOCATED_KEY, difference - sumEffects(sums))
  return sums
}

/** New and gone workloads change the allocation, unless the whole cluster is new or gone. */
function idleKeyFor(key: EffectKey, ofCapacity: ReadonlyMap<EffectKey, Decimal>): EffectKey {
  const { kind, detail } = readEffectKey(key)
  if (kind === 'hours' || kind === 'price') return effectKey('idle', kind, detail)
  const ofCluster = effectKey('idle', kind)
  return (kind === 'new' || kind === 'gone') && ofCapacity.has(ofCluster) ? ofCluster : ALLOCATED_KEY
}

const ALLOCATED_KEY = effectKey('idle', 'allocated')
const SIDES = ['before', 'now'] as const
const empty = () => ({ before: NOTHING, now: NOTHING })
