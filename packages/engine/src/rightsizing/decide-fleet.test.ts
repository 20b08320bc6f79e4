import { decideFleet } from '../testing/decide-fleet.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { aContainer, aPolicy, madeUsage, NOW } from '../../test/made-usage.ts'
import { DIALS } from './safety-margin.ts'
import type { FleetContainer } from './fleet.ts'
import { BUCKET_GROWTH } from './histogram.ts'
import { type CpuDecision } from './decide-fleet.ts'
import { NO_SLOTS } from './usage-state.ts'

function unitsOf(decision: CpuDecision | undefined): number {
  if (decision?.kind !== 'request') throw new Error(`no request but ${JSON.stringify(decision)}`)
  return decision.units
}

/** The request of each container; fails if one gets none. */
const requestsOf = (fleet: readonly FleetContainer[], policy: Parameters<typeof aPolicy>[0] = {}) =>
  decideFleet(fleet, aPolicy(policy), NOW).decisions.map(unitsOf)

/** Deterministic noise: hundreds of samples per slot, some of them high. */
function noisy(level: number, seed: number): FleetContainer {
  const samples = (age: number) =>
    Array.from({ length: 12 }, (_, index) => level * (1 + ((age * 7 + index * 13 + seed) % 17) / 10))
  return aContainer({ usage: madeUsage({ samples }), replicas: 1 + (seed % 3) })
}

const someFleet = fc
  .array(fc.tuple(fc.integer({ min: 200, max: 50_000 }), fc.nat(50)), { minLength: 2, maxLength: 8 })
  .map((all) => all.map(([level, seed]) => noisy(level, seed)))

test('all requests times replicas equal the total of VPA', () => {
  fc.assert(
    fc.property(someFleet, (fleet) => {
      const { decisions, anchorUnits, requestedUnits } = decideFleet(fleet, aPolicy(), NOW)
      const vpa = decisions.map((decision) => (decision.kind === 'request' ? decision.vpaUnits : 0))
      expect(vpa.reduce((sum, own, index) => sum + own * (fleet[index]?.replicas ?? 0), 0)).toBeCloseTo(anchorUnits, 6)
      expect(requestedUnits / anchorUnits).toBeGreaterThan(1 / BUCKET_GROWTH)
      expect(requestedUnits / anchorUnits).toBeLessThan(BUCKET_GROWTH)
    }),
    { numRuns: 40 },
  )
})

test('a larger budget never makes a request smaller', () => {
  fc.assert(
    fc.property(someFleet, (fleet) => {
      const at = (share: number) => requestsOf(fleet, { dial: { ...DIALS.balanced, share, givesBack: false } })
      const [less, more] = [at(0.9), at(1.05)]
      less.forEach((units, index) => expect(more[index]).toBeGreaterThanOrEqual(units - 1e-9))
    }),
    { numRuns: 40 },
  )
})

test('dials are ordered: thrifty, balanced, safe', () => {
  const fleet = [noisy(500, 1), noisy(5000, 2), noisy(900, 5)]
  const total = (dial: keyof typeof DIALS) => decideFleet(fleet, aPolicy({ dial: DIALS[dial] }), NOW).requestedUnits
  expect(total('thrifty')).toBeLessThan(total('balanced'))
  expect(total('balanced')).toBeLessThanOrEqual(total('safe'))
})

test('never below the floor', () => {
  const tiny = aContainer({ usage: madeUsage({ samples: () => [1, 2, 3] }), floorUnits: 100 })
  const held = aContainer({ usage: madeUsage({ samples: () => [1, 2, 3] }), floorUnits: 2000 })
  const [first, second] = requestsOf([tiny, held, noisy(500, 1)])
  expect(first).toBeGreaterThanOrEqual(100)
  expect(second).toBeGreaterThanOrEqual(2000)
})

test('an empty fleet has no decisions', () => {
  expect(decideFleet([], aPolicy(), NOW)).toMatchObject({ decisions: [], requestedUnits: 0, totalUnits: 0 })
})

test('the order of containers does not matter', () => {
  const fleet = [noisy(500, 1), noisy(5000, 2), noisy(900, 5), noisy(20_000, 9)]
  const forward = requestsOf(fleet, { rehearses: true })
  const backward = requestsOf(fleet.toReversed(), { rehearses: true })
  forward.forEach((units, index) => expect(backward.at(-1 - index)).toBeCloseTo(units, 6))
})

test('containers ten times as large get about ten times as much', () => {
  const totals = [1, 10].map((scale) => {
    const fleet = [1, 2, 3, 4].map((seed) => noisy(1000 * seed * scale, seed))
    return requestsOf(fleet)
  })
  totals[0]?.forEach((units, index) => {
    const ratio = (totals[1]?.[index] ?? 0) / units
    expect(ratio).toBeGreaterThan(9)
    expect(ratio).toBeLessThan(11)
  })
})

test('unequal replicas raise the request by the square root of their ratio, within the same budget', () => {
  const even = aContainer({ usage: madeUsage({ samples: () => [1000, 1500, 2000] }) })
  const uneven = aContainer({ usage: madeUsage({ samples: () => [1000, 1500, 2000], hottest: 1.44 }) })
  const { decisions, requestedUnits, anchorUnits } = decideFleet([even, uneven], aPolicy(), NOW)
  expect(unitsOf(decisions[1])).toBeGreaterThan(unitsOf(decisions[0]) * 1.1)
  expect(decisions[1]).toMatchObject({ replicaFactor: expect.closeTo(1.2, 5) as number })
  expect(requestedUnits).toBeLessThanOrEqual(anchorUnits * 1.0001)
})

test('a standing value stays while it is close enough', () => {
  const container = aContainer({ usage: madeUsage({ samples: () => [1000] }) })
  const fresh = unitsOf(decideFleet([container], aPolicy({ keepsStanding: true }), NOW).decisions[0])
  const at = (standingUnits: number) =>
    decideFleet([{ ...container, standingUnits }], aPolicy({ keepsStanding: true }), NOW).decisions[0]
  expect(at(fresh / 1.04)).toMatchObject({ isStanding: true, units: fresh / 1.04 })
  expect(at(fresh / 0.86)).toMatchObject({ isStanding: true })
  expect(unitsOf(at(fresh / 1.06))).toBeCloseTo(fresh, 6)
  expect(unitsOf(at(fresh / 0.84))).toBeCloseTo(fresh, 6)
})

const withUsage = (own: Partial<Parameters<typeof madeUsage>[0]>) => aContainer({ usage: madeUsage(own) })
const withFacts = (own: Partial<FleetContainer['facts']>) => aContainer({ facts: { coverage: 1, ...own } })

test.each([
  ['no sample', aContainer({ usage: { ...madeUsage(), cpu: NO_SLOTS } }), { kind: 'unknown', reason: 'no_samples' }],
  [
    'one sample, an hour ago',
    withUsage({ days: 14, samples: (age) => (age === 1 ? [500] : []) }),
    { reason: 'short_history' },
  ],
  ['three days of history', withUsage({ days: 3 }), { reason: 'short_history', days: 3, daysMin: 7 }],
  [
    'a gap of three days',
    withUsage({ samples: (age) => (age > 4 && age < 17 ? [] : [500]) }),
    { reason: 'sparse_samples' },
  ],
  ['half of the samples', withFacts({ coverage: 0.5 }), { reason: 'sparse_samples', coverage: 0.5 }],
  ['a coverage that is not a number', withFacts({ coverage: Number.NaN }), { reason: 'sparse_samples' }],
  ['a new image since yesterday', withFacts({ imageChangedAt: NOW - 20 * 3600 }), { reason: 'image_changed' }],
  ['an autoscaler on CPU', withFacts({ autoscaledOnCpu: true }), { kind: 'withheld', reason: 'autoscaled_on_cpu' }],
  ['managed by a VPA', withFacts({ managedBy: 'vpa' }), { kind: 'withheld', reason: 'managed_by', manager: 'vpa' }],
  ['one hot ordinal', withFacts({ ordinalOutlier: 0 }), { kind: 'withheld', reason: 'ordinal_outlier', ordinal: 0 }],
  ['a pod at 2.5 times the mean', withUsage({ hottest: 2.5 }), { kind: 'withheld', reason: 'replicas_differ' }],
  [
    'all usage in one sample of fifty',
    withUsage({ samples: () => [50_000, ...Array.from({ length: 49 }, () => 1)] }),
    { kind: 'withheld', reason: 'too_spiky' },
  ],
] as const)('%s: withheld with the reason', (_, container, expected) => {
  const { decisions, requestedUnits } = decideFleet([container], aPolicy(), NOW)
  expect(decisions[0]).toMatchObject(expected)
  expect(requestedUnits).toBe(0)
})

test('an idle container gets its floor or the request of VPA, not 0', () => {
  const [units] = requestsOf([aContainer({ usage: madeUsage({ samples: () => [0] }) })])
  expect(units).toBeCloseTo(250, 3)
})

/** Day and night, repeating weeks and noise: pinned results from when the figures of right-sizing.md were computed. */
const pinned = Array.from({ length: 12 }, (_, seed) =>
  aContainer({
    replicas: 1 + (seed % 3),
    usage: madeUsage({
      days: 35,
      hottest: 1 + (seed % 4) / 10,
      samples: (age) =>
        Array.from(
          { length: 12 },
          (__, index) =>
            100 * (seed + 1) * (1 + ((age * 7 + index * 13 + seed * 5) % 17) / 10) * (age % 28 < 8 ? 2 : 1),
        ),
    }),
  }),
)

/** The requests of all but the last and largest container, at 0.95 to 0.98 of the VPA total and at all of it. */
const ofLess = [526.613, 1122.746, 1722.105, 2408.867, 2676.326, 3351.65, 4058.253, 4754.108, 4692.954, 5539.767]
const ofAll = [534.748, 1140.09, 1748.707, 2446.079, 2717.669, 3403.426, 4120.944, 4827.548, 4765.449, 5625.344]

test.each([
  {
    dial: 'thrifty' as const,
    standingDays: 1,
    share: 0.95,
    units: [...ofLess, 5786.098],
    short: [0.084802, 0.042676246],
  },
  {
    dial: 'balanced' as const,
    standingDays: 1,
    share: 1,
    units: [...ofAll, 6420.296],
    short: [0.065916048, 0.037586539],
  },
  { dial: 'balanced' as const, standingDays: 7, share: 0.98, units: [...ofLess, 6322.626], short: [0, 0] },
  { dial: 'safe' as const, standingDays: 1, share: 1, units: [...ofAll, 6420.296], short: [0.007569268, 0.000878399] },
])(
  'optimizations do not change the result: $dial, $standingDays days',
  ({ dial, standingDays, share, units, short }) => {
    const decided = decideFleet(pinned, aPolicy({ dial: DIALS[dial], standingDays, rehearses: true }), NOW)
    expect(decided.share).toBe(share)
    units.forEach((expected, index) => expect(unitsOf(decided.decisions[index])).toBeCloseTo(expected, 2))
    const { backtest } = decided
    if (backtest.kind !== 'known') expect.fail('nothing was rehearsed')
    expect(backtest.ours.time).toBeCloseTo(short[0] ?? 0, 8)
    expect(backtest.ours.volume).toBeCloseTo(short[1] ?? 0, 8)
  },
)
