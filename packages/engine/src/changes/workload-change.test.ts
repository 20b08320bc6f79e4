import { expect, test } from 'vitest'
import { roundDecimal } from '../decimal.ts'
import { SECONDS_PER_DAY } from '../time.ts'
import { aDayOfPods, referenceRates, sameDay } from './builders.ts'
import { sumEffects } from './effect-key.ts'
import { compareTimes } from './known-time.ts'
import { workloadEffects, workloadTotals, type RatedUse } from './workload-change.ts'

const use = (own: Partial<RatedUse> = {}): RatedUse => ({
  classKey: 'a',
  rates: referenceRates(),
  before: null,
  now: null,
  ...own,
})

function changed(uses: RatedUse[], comparison = sameDay) {
  const totals = workloadTotals(uses)
  const effects = workloadEffects(totals, comparison)
  expect(sumEffects(effects)).toBe(totals.now.usd - totals.before.usd)
  return {
    before: roundDecimal(totals.before.usd),
    now: roundDecimal(totals.now.usd),
    effects: Object.fromEntries([...effects].map(([key, usd]) => [key.trim(), roundDecimal(usd)])),
  }
}

test('the example of the documentation: more replicas, a larger CPU request and a discount', () => {
  const before = aDayOfPods({ pods: 4, cores: 0.5, gib: 1 })
  const now = aDayOfPods({ pods: 6, cores: 0.75, gib: 1 })
  expect(changed([use({ before }), use({ rates: referenceRates(90), now })])).toEqual({
    before: '1.901930',
    now: '3.580012',
    effects: {
      'compute replicas': '1.081525',
      'compute request cpu': '0.890542',
      'compute price a': '-0.293986',
    },
  })
})

const four = aDayOfPods({ pods: 4, cores: 0.5, gib: 1 })
const half = { ...four, seconds: four.seconds / 2n, request: halved(four.request), alloc: halved(four.request) }

function halved(amounts: typeof four.request) {
  return { cpu: amounts.cpu / 2n, memory: amounts.memory / 2n, gpu: 0n }
}

test.each<{ name: string; uses: RatedUse[]; effects: Record<string, string> }>([
  { name: 'nothing changed', uses: [use({ before: four, now: four })], effects: {} },
  { name: 'a new workload', uses: [use({ now: four })], effects: { 'compute new': '1.901930' } },
  { name: 'a removed workload', uses: [use({ before: four })], effects: { 'compute gone': '-1.901930' } },
  {
    name: 'half of the replicas',
    uses: [use({ before: four, now: half })],
    effects: { 'compute replicas': '-0.950965' },
  },
  {
    name: 'a price that doubled',
    uses: [use({ before: four }), use({ rates: referenceRates(200), now: four })],
    effects: { 'compute price a': '1.901930' },
  },
  {
    name: 'other nodes at twice the price',
    uses: [use({ before: four }), use({ classKey: 'b', rates: referenceRates(200), now: four })],
    effects: { 'compute node_mix': '1.901930' },
  },
  {
    name: 'usage beyond the CPU request',
    uses: [use({ before: four, now: { ...four, alloc: { ...four.alloc, cpu: four.alloc.cpu * 2n } } })],
    effects: { 'compute usage cpu': '1.499861' },
  },
])('$name has one cause', ({ uses, effects }) => {
  expect(changed(uses).effects).toEqual(effects)
})

test('a window with twice the known time changes hours and nothing else', () => {
  const twice = compareTimes({ before: SECONDS_PER_DAY, now: 2 * SECONDS_PER_DAY }, { before: false, now: false })
  const doubled = {
    seconds: four.seconds * 2n,
    request: { cpu: four.request.cpu * 2n, memory: four.request.memory * 2n, gpu: 0n },
  }
  const now = { ...doubled, alloc: doubled.request }
  expect(changed([use({ before: four, now })], twice).effects).toEqual({ 'compute hours': '1.901930' })
})

test('a cluster without data in one window: new if it was never connected before, else missing time', () => {
  const seconds = { before: 0, now: SECONDS_PER_DAY }
  const uses = [use({ now: four })]
  expect(changed(uses, compareTimes(seconds, { before: true, now: false })).effects).toEqual({
    'compute new': '1.901930',
  })
  expect(changed(uses, compareTimes(seconds, { before: false, now: false })).effects).toEqual({
    'compute hours': '1.901930',
  })
})
