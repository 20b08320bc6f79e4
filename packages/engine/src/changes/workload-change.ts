import { compare } from '../apportion.ts'
import type { Decimal } from '../decimal.ts'
import { usdFor, type NodeRates } from '../pricing/rate.ts'
import { RESOURCES, type Resource } from '../units.ts'
import { effectKey, type EffectSums } from './effect-key.ts'
import { hoursCells, presenceCells, singleCells, type Comparison, type Pair } from './known-time.ts'
import { addPriced, meanPrice, NOTHING, type Priced } from './quantity-change.ts'
import { settle, type Cell } from './settle.ts'

/** Pod-seconds of a workload, and unit-seconds of its requests and of its allocation. */
export type WorkloadUse = {
  readonly seconds: bigint
  readonly request: Readonly<Record<Resource, bigint>>
  readonly alloc: Readonly<Record<Resource, bigint>>
}

/** The part of a workload on nodes of one rate. Null: none in that window. */
export type RatedUse = { readonly classKey: string; readonly rates: NodeRates } & Pair<WorkloadUse | null>

/** The sums of a workload over its rates. */
export type WorkloadTotals = Pair<WorkloadSide>

type WorkloadSide = {
  seconds: bigint
  usd: Decimal
  request: Record<Resource, bigint>
  resources: Record<Resource, Priced>
  classes: Map<string, Record<Resource, Priced>>
}

export function workloadTotals(uses: readonly RatedUse[]): WorkloadTotals {
  const totals = { before: emptySide(), now: emptySide() }
  for (const { classKey, rates, before, now } of uses) {
    if (before) addUse(totals.before, { classKey, rates, use: before })
    if (now) addUse(totals.now, { classKey, rates, use: now })
  }
  return totals
}

export function workloadEffects(totals: WorkloadTotals, comparison: Comparison): EffectSums {
  return settle(workloadCells(totals, comparison), totals.now.usd - totals.before.usd)
}

/** The effects before rounding: docs/how-it-works/changes.md has the formulas. */
export function workloadCells(totals: WorkloadTotals, comparison: Comparison): Cell[] {
  const { before, now } = totals
  const usd = { before: before.usd, now: now.usd }
  if (comparison.kind === 'single') return singleCells('compute', usd, comparison.effect)
  const hours = hoursCells('compute', usd, comparison)
  if (!isPresent(before) || !isPresent(now)) return [...hours, ...presenceCells('compute', usd, comparison)]
  const classes = [...new Set([...before.classes.keys(), ...now.classes.keys()])].sort(compare)
  return [...hours, ...RESOURCES.flatMap((resource) => resourceCells(totals, resource, classes, comparison))]
}

type Scaled = Extract<Comparison, { kind: 'scaled' }>

function resourceCells(totals: WorkloadTotals, resource: Resource, classes: string[], comparison: Scaled): Cell[] {
  const pair = { before: totals.before.resources[resource], now: totals.now.resources[resource] }
  if (pair.before.quantity === 0n && pair.now.quantity === 0n) return []
  const quantity = quantityCells(totals, resource, comparison)
  if (pair.before.quantity === 0n || pair.now.quantity === 0n) return quantity
  const ofClasses = classes.flatMap((classKey) => {
    const ofClass = {
      before: totals.before.classes.get(classKey)?.[resource] ?? NOTHING,
      now: totals.now.classes.get(classKey)?.[resource] ?? NOTHING,
    }
    return classCells({ classKey, ofClass, all: pair }, comparison)
  })
  return [...quantity, ...ofClasses]
}

/** Replicas, request and usage beyond requests, each at the mean price. */
function quantityCells({ before, now }: WorkloadTotals, resource: Resource, { scale, divisor }: Scaled): Cell[] {
  const price = meanPrice({ before: before.resources[resource], now: now.resources[resource] })
  const [podsBefore, podsNow] = [before.seconds, now.seconds]
  const [requestBefore, requestNow] = [before.request[resource], now.request[resource]]
  const [beyondBefore, beyondNow] = [
    before.resources[resource].quantity - requestBefore,
    now.resources[resource].quantity - requestNow,
  ]
  const cell = (key: string, dividend: bigint, by: bigint): Cell[] =>
    dividend === 0n || price.dividend === 0n
      ? []
      : [{ key, dividend: dividend * price.dividend, divisor: by * divisor * price.divisor }]
  const usage = beyondNow * scale.now - beyondBefore * scale.before
  const pods = podsBefore * podsNow
  const usageCell = cell(USAGE_KEYS[resource], usage, 1n)
  if (pods === 0n) {
    // Without pods there is no request per pod, so the whole difference of the requests is due to replicas.
    return [...cell(REPLICAS_KEY, requestNow * scale.now - requestBefore * scale.before, 1n), ...usageCell]
  }
  const replicas =
    (requestBefore * podsNow + requestNow * podsBefore) * (podsNow * scale.now - podsBefore * scale.before)
  const request =
    (podsBefore * scale.before + podsNow * scale.now) * (requestNow * podsBefore - requestBefore * podsNow)
  return [...cell(REPLICAS_KEY, replicas, 2n * pods), ...cell(REQUEST_KEYS[resource], request, 2n * pods), ...usageCell]
}

type ClassShare = { classKey: string; ofClass: Pair<Priced>; all: Pair<Priced> }

/** Price of one class at the mean share, and share of the class at the mean price. */
function classCells({ classKey, ofClass, all }: ClassShare, { scale, divisor }: Scaled): Cell[] {
  const { before, now } = ofClass
  const meanQuantity = all.before.quantity * scale.before + all.now.quantity * scale.now
  const quantities = all.before.quantity * all.now.quantity
  const cells: Cell[] = []
  const rise = now.usd * before.quantity - before.usd * now.quantity
  if (rise !== 0n && before.quantity !== 0n && now.quantity !== 0n) {
    const share = before.quantity * all.now.quantity + now.quantity * all.before.quantity
    cells.push({
      key: effectKey('compute', 'price', classKey),
      dividend: meanQuantity * share * rise,
      divisor: 4n * divisor * quantities * before.quantity * now.quantity,
    })
  }
  const shift = now.quantity * all.before.quantity - before.quantity * all.now.quantity
  const price = meanPrice(ofClass)
  if (shift !== 0n && price.dividend !== 0n) {
    const dividend = meanQuantity * shift * price.dividend
    cells.push({ key: NODE_MIX_KEY, dividend, divisor: 2n * divisor * quantities * price.divisor })
  }
  return cells
}

const byResource = (kind: 'request' | 'usage') => ({
  cpu: effectKey('compute', kind, 'cpu'),
  memory: effectKey('compute', kind, 'memory'),
  gpu: effectKey('compute', kind, 'gpu'),
})

const REPLICAS_KEY = effectKey('compute', 'replicas')
const NODE_MIX_KEY = effectKey('compute', 'node_mix')
const REQUEST_KEYS = byResource('request')
const USAGE_KEYS = byResource('usage')

const isPresent = ({ seconds, usd }: WorkloadSide) => seconds !== 0n || usd !== 0n

const emptySide = (): WorkloadSide => ({
  seconds: 0n,
  usd: 0n,
  request: { cpu: 0n, memory: 0n, gpu: 0n },
  resources: { cpu: NOTHING, memory: NOTHING, gpu: NOTHING },
  classes: new Map(),
})

type ClassUse = { classKey: string; rates: NodeRates; use: WorkloadUse }

function addUse(side: WorkloadSide, { classKey, rates, use }: ClassUse): void {
  side.seconds += use.seconds
  const ofClass = side.classes.get(classKey) ?? { cpu: NOTHING, memory: NOTHING, gpu: NOTHING }
  side.classes.set(classKey, ofClass)
  for (const resource of RESOURCES) {
    const priced = { quantity: use.alloc[resource], usd: usdFor(use.alloc[resource], rates[resource]) }
    side.usd += priced.usd
    side.request[resource] += use.request[resource]
    side.resources[resource] = addPriced(side.resources[resource], priced)
    ofClass[resource] = addPriced(ofClass[resource], priced)
  }
}
