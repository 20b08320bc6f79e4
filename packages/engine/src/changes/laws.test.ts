import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Decimal } from '../decimal.ts'
import type { NodeRates, Rate } from '../pricing/rate.ts'
import { RESOURCES } from '../units.ts'
import { capacityEffects, capacityTotals, idleEffects, type RatedCapacity } from './capacity-change.ts'
import { cloudResourceCells, cloudResourceEffects } from './cloud-resource-change.ts'
import { addEffect, addEffects, readEffectKey, sumEffects, type EffectSums } from './effect-key.ts'
import { compareTimes, type Pair } from './known-time.ts'
import { nodeEffects, nodeMovement } from './node-changes.ts'
import { absolute, type Cell } from './settle.ts'
import { splitByGroup, type GroupCost } from './split-by-group.ts'
import { clusterWaterfall } from './waterfall.ts'
import { workloadCells, workloadEffects, workloadTotals, type RatedUse, type WorkloadUse } from './workload-change.ts'
import { lawRuns } from '../../../../test/rounds.ts'

const runs = lawRuns(200)

const amount = fc.bigInt({ min: 0n, max: 10n ** 13n })
const perResource = fc.record({ cpu: amount, memory: amount, gpu: fc.constantFrom(0n, 3n, 5_040_000n) })
const price: fc.Arbitrary<Rate> = fc.oneof(
  { weight: 9, arbitrary: fc.bigInt({ min: 0n, max: 10n ** 15n }).map(priced) },
  { weight: 1, arbitrary: fc.constant<Rate>({ kind: 'unpriced', reason: 'not-in-book' }) },
)
const rates: fc.Arbitrary<NodeRates> = fc.record({ cpu: price, memory: price, gpu: price })
const oneUse: fc.Arbitrary<WorkloadUse> = fc
  .record({ seconds: fc.bigInt({ min: 0n, max: 10n ** 7n }), request: perResource, alloc: perResource })
  .map((use) => ({ ...use, seconds: use.seconds + 1n }))
const classKey = fc.constantFrom('a', 'b', 'c')
const ratedUse: fc.Arbitrary<RatedUse> = fc.record({
  classKey,
  rates,
  before: fc.option(oneUse),
  now: fc.option(oneUse),
})
const uses = fc.array(ratedUse, { maxLength: 5 })
const seconds = fc.record({ before: fc.nat(700), now: fc.nat(700) })
const comparison = fc
  .tuple(seconds, fc.record({ before: fc.boolean(), now: fc.boolean() }))
  .map(([known, isUnconnected]) => ({ known, isUnconnected }))

function priced(usdPerUnitSecond: Decimal): Rate {
  return { kind: 'priced', usdPerUnitSecond, estimated: false }
}

type Known = { known: Pair<number>; isUnconnected: Pair<boolean> }

const swapped = <Value>({ before, now }: Pair<Value>): Pair<Value> => ({ before: now, now: before })
const swap = <Side, Item extends Pair<Side>>(item: Item): Item => ({ ...item, before: item.now, now: item.before })
const compared = ({ known, isUnconnected }: Known) => compareTimes(known, isUnconnected)
const comparedSwapped = ({ known, isUnconnected }: Known) => compareTimes(swapped(known), swapped(isUnconnected))

/** With swapped windows, a new object is a removed object. */
function negated(effects: EffectSums): EffectSums {
  const other: Record<string, string> = { new: 'gone', gone: 'new' }
  return new Map(
    [...effects].map(([key, usd]) => {
      const { part, kind, detail } = readEffectKey(key)
      return [`${part} ${other[kind] ?? kind} ${detail}`, -usd]
    }),
  )
}

const sorted = (effects: EffectSums) => [...effects].sort(([a], [b]) => (a < b ? -1 : 1))

function expectSmallRest(cells: readonly Cell[], difference: Decimal): void {
  const exact = cells.reduce((sum, { dividend, divisor }) => sum + roundHalf(dividend, divisor), 0n)
  expect(absolute(difference - exact) <= BigInt(cells.length)).toBe(true)
}

const roundHalf = (dividend: bigint, divisor: bigint) =>
  (2n * dividend + (dividend < 0n ? -divisor : divisor)) / (2n * divisor)

test('the effects of a workload add up to its difference, and rounding moves less than 1e-24 USD per effect', () => {
  fc.assert(
    fc.property(uses, comparison, (own, known) => {
      const totals = workloadTotals(own)
      const difference = totals.now.usd - totals.before.usd
      expect(sumEffects(workloadEffects(totals, compared(known)))).toBe(difference)
      expectSmallRest(workloadCells(totals, compared(known)), difference)
    }),
    runs,
  )
})

test('swapped windows negate each effect, and equal windows have none', () => {
  fc.assert(
    fc.property(uses, comparison, (own, known) => {
      const forth = workloadEffects(workloadTotals(own), compared(known))
      const back = workloadEffects(workloadTotals(own.map(swap)), comparedSwapped(known))
      expect(sorted(back)).toEqual(sorted(negated(forth)))
      const same = own.map((each) => ({ ...each, now: each.before }))
      const sameTime = compareTimes({ before: 60, now: 60 }, known.isUnconnected)
      expect(workloadEffects(workloadTotals(same), sameTime).size).toBe(0)
    }),
    runs,
  )
})

const full = fc
  .array(ratedUse, { minLength: 1, maxLength: 4 })
  .map((own) => own.flatMap((each) => (each.before ? [{ ...each, now: null, before: exactUse(each.before) }] : [])))

/** Allocated as requested, so that nothing is used beyond the requests. */
const exactUse = (use: WorkloadUse): WorkloadUse => ({ ...use, alloc: use.request })

const times = (use: WorkloadUse, factors: { pods?: bigint; request?: bigint }): WorkloadUse => {
  const { pods = 1n, request = 1n } = factors
  const scaled = (amounts: WorkloadUse['request']) => ({
    cpu: amounts.cpu * pods * request,
    memory: amounts.memory * pods * request,
    gpu: amounts.gpu * pods * request,
  })
  return { seconds: use.seconds * pods, request: scaled(use.request), alloc: scaled(use.alloc) }
}

const dearer = (own: NodeRates, factor: bigint): NodeRates => {
  const rate = (each: Rate) => (each.kind === 'priced' ? priced(each.usdPerUnitSecond * factor) : each)
  return { cpu: rate(own.cpu), memory: rate(own.memory), gpu: rate(own.gpu) }
}

const factor = fc.bigInt({ min: 2n, max: 9n })

test('a change of one factor is due to this factor alone', () => {
  fc.assert(
    fc.property(full, factor, (own, times9) => {
      const kindsOf = (changed: RatedUse[], known = { before: 60, now: 60 }) => {
        const totals = workloadTotals([...own, ...changed])
        const effects = workloadEffects(totals, compareTimes(known, { before: false, now: false }))
        return new Set([...effects.keys()].map((key) => readEffectKey(key).kind))
      }
      const after = (of: (each: RatedUse & { before: WorkloadUse }) => Partial<RatedUse>) =>
        own.flatMap((each) => (each.before ? [{ ...each, before: null, ...of(each) }] : []))
      const isOnly = (kinds: Set<string>, kind: string) =>
        expect([...kinds].filter((each) => each !== kind)).toEqual([])
      isOnly(kindsOf(after(({ before }) => ({ now: times(before, { pods: times9 }) }))), 'replicas')
      isOnly(kindsOf(after(({ before }) => ({ now: times(before, { request: times9 }) }))), 'request')
      isOnly(kindsOf(after(({ before, rates: each }) => ({ now: before, rates: dearer(each, times9) }))), 'price')
      isOnly(kindsOf(after(({ before, classKey: each }) => ({ now: before, classKey: `${each}2` }))), 'node_mix')
      isOnly(kindsOf([]), 'gone')
      const longer = after(({ before }) => ({ now: times(before, { pods: times9 }) }))
      isOnly(kindsOf(longer, { before: 60, now: 60 * Number(times9) }), 'hours')
    }),
    runs,
  )
})

test('a price that changes moves with the class that changed', () => {
  fc.assert(
    fc.property(oneUse, oneUse, rates, factor, (here, there, own, times9) => {
      const [a, b] = [exactUse(here), exactUse(there)]
      const changed: RatedUse[] = [
        { classKey: 'a', rates: own, before: a, now: a },
        { classKey: 'b', rates: own, before: b, now: null },
        { classKey: 'b', rates: dearer(own, times9), before: null, now: b },
      ]
      const effects = workloadEffects(workloadTotals(changed), compareTimes({ before: 1, now: 1 }, never))
      expect([...effects.keys()].filter((key) => key !== 'compute price b')).toEqual([])
    }),
    runs,
  )
})

const never = { before: false, now: false }

const volumes = fc.record({
  before: fc.record({ quantity: amount, usd: amount }),
  now: fc.record({ quantity: amount, usd: amount }),
})

test('volumes, load balancers and fees: effects add up, and swapping negates them', () => {
  fc.assert(
    fc.property(volumes, comparison, (raw, known) => {
      const units = { before: billed(raw.before), now: billed(raw.now) }
      const change = { part: 'storage' as const, classKey: 'gp3', units }
      const effects = cloudResourceEffects(change, compared(known))
      expect(sumEffects(effects)).toBe(units.now.usd - units.before.usd)
      expectSmallRest(cloudResourceCells(change, compared(known)), units.now.usd - units.before.usd)
      const back = cloudResourceEffects({ ...change, units: swapped(units) }, comparedSwapped(known))
      expect(sorted(back)).toEqual(sorted(negated(effects)))
    }),
    runs,
  )
})

const billed = ({ quantity, usd }: { quantity: bigint; usd: bigint }) => ({
  quantity,
  usd: quantity === 0n ? 0n : usd * 10n ** 11n,
})

const groupCosts = fc.uniqueArray(
  fc.record({ group: fc.constantFrom('blue', 'green', 'red'), before: amount, now: amount }),
  { selector: ({ group }) => group, minLength: 1 },
)

test('the effects of groups add up to those of the whole, and `moved` adds up to 0', () => {
  fc.assert(
    fc.property(groupCosts, fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), amount)), (groups, some) => {
      const whole: EffectSums = new Map()
      const difference = groups.reduce((sum, { before, now }) => sum + now - before, 0n)
      for (const [detail, usd] of some) addEffect(whole, `compute price ${detail}`, usd)
      addEffect(whole, 'compute replicas ', difference - sumEffects(whole))
      const sum: EffectSums = new Map()
      const forth = splitByGroup(whole, groups, 'compute')
      for (const { before, now, effects } of forth) {
        expect(sumEffects(effects)).toBe(now - before)
        addEffects(sum, effects)
      }
      expect(sorted(sum)).toEqual(sorted(whole))
      const back = splitByGroup(negated(whole), groups.map(swapCost), 'compute')
      expect(byName(back)).toEqual(byName(forth.map((each) => ({ ...each, effects: negated(each.effects) }))))
    }),
    runs,
  )
})

const byName = (groups: readonly { group: string; effects: EffectSums }[]) =>
  Object.fromEntries(groups.map(({ group, effects }) => [group, sorted(effects)]))

const swapCost = ({ group, before, now }: GroupCost): GroupCost => ({ group, before: now, now: before })

test('an owner that only changes its team has moved, at its whole cost', () => {
  const moved = splitByGroup(
    new Map(),
    [
      { group: 'blue', before: 700n, now: 0n },
      { group: 'red', before: 0n, now: 700n },
    ],
    'compute',
  )
  expect(byName(moved)).toEqual({ blue: [['compute moved ', -700n]], red: [['compute moved ', 700n]] })
})

type Machine = RatedCapacity & { uid: string }

const machines: fc.Arbitrary<Machine[]> = fc
  .array(fc.record({ classKey, rates, before: fc.option(perResource), now: fc.option(perResource) }), { maxLength: 6 })
  .map((all) => all.map((each, index) => ({ ...each, uid: `n${index % 4}` })))

test('idle: effects add up to the difference, and with those of the workloads they are the effects of the nodes', () => {
  fc.assert(
    fc.property(fc.array(uses, { maxLength: 4 }), machines, comparison, (workloads, nodes, known) => {
      const total = capacityTotals(nodes)
      const ofCapacity = capacityEffects(total, compared(known))
      const ofWorkloads: EffectSums = new Map()
      for (const own of workloads) addEffects(ofWorkloads, workloadEffects(workloadTotals(own), compared(known)))
      const nodeDifference = total.usd.now - total.usd.before
      const difference = nodeDifference - sumEffects(ofWorkloads)
      const idle = idleEffects(ofCapacity, ofWorkloads, difference)
      expect(sumEffects(ofCapacity)).toBe(nodeDifference)
      expect(sumEffects(idle)).toBe(difference)
      const both: EffectSums = new Map()
      for (const [key, usd] of [...idle, ...ofWorkloads]) {
        const { kind, detail } = readEffectKey(key)
        addEffect(both, ['nodes', 'price', 'hours'].includes(kind) ? `idle ${kind} ${detail}` : 'others', usd)
      }
      if (compared(known).kind === 'scaled') expect(sorted(both)).toEqual(sorted(ofCapacity))
    }),
    runs,
  )
})

test('the waterfall adds up to the difference of the bill, and swapping negates it', () => {
  fc.assert(
    fc.property(machines, volumes, comparison, (nodes, raw, known) => {
      const bill = (pairs: readonly Machine[], units: Pair<{ quantity: bigint; usd: bigint }>, back: boolean) => {
        const compare = back ? comparedSwapped(known) : compared(known)
        const totals = capacityTotals(pairs)
        const capacity = capacityEffects(totals, compare)
        const cloudResources = cloudResourceEffects({ part: 'storage', classKey: 'gp3', units }, compare)
        const amounts = nodeEffects(pairs, totals, capacity, compare)
        const listed = [...amounts].map(([uid, usd]) => {
          const own = pairs.filter((each) => each.uid === uid)
          const ran = { before: own.some(({ before }) => before), now: own.some(({ now }) => now) }
          return { movement: nodeMovement({ ...ran, isWholeLife: false }, usd), usd }
        })
        const difference = totals.usd.now - totals.usd.before + units.now.usd - units.before.usd
        return {
          waterfall: clusterWaterfall({ comparison: compare, capacity, cloudResources, nodes: listed }),
          difference,
        }
      }
      const units = { before: billed(raw.before), now: billed(raw.now) }
      const { waterfall, difference } = bill(nodes, units, false)
      expect(Object.values(waterfall).reduce((sum, usd) => sum + usd, 0n)).toBe(difference)
      const back = bill(nodes.map(swap), swapped(units), true).waterfall
      expect({ ...back, nodes_removed: back.nodes_added, nodes_added: back.nodes_removed }).toMatchObject({
        nodes_removed: -waterfall.nodes_removed,
        nodes_added: -waterfall.nodes_added,
        price: -waterfall.price,
        storage: -waterfall.storage,
        hours: -waterfall.hours,
      })
    }),
    runs,
  )
})

test('one price that changes: idle and workloads change by price alone', () => {
  fc.assert(
    fc.property(oneUse, perResource, rates, factor, (use, spare, own, times9) => {
      const used = exactUse(use)
      const capacity = Object.fromEntries(
        RESOURCES.map((resource) => [resource, used.alloc[resource] + spare[resource]]),
      ) as typeof spare
      const scaled = dearer(own, times9)
      const sameTime = compareTimes({ before: 1, now: 1 }, never)
      const workload = workloadEffects(
        workloadTotals([
          { classKey: 'a', rates: own, before: used, now: null },
          { classKey: 'a', rates: scaled, before: null, now: used },
        ]),
        sameTime,
      )
      const totals = capacityTotals([
        { classKey: 'a', rates: own, before: capacity, now: null },
        { classKey: 'a', rates: scaled, before: null, now: capacity },
      ])
      const difference = totals.usd.now - totals.usd.before - sumEffects(workload)
      const idle = idleEffects(capacityEffects(totals, sameTime), workload, difference)
      expect([...idle.keys()].filter((key) => key !== 'idle price a')).toEqual([])
    }),
    runs,
  )
})
