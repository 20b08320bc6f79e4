import fc from 'fast-check'
import { expect, test } from 'vitest'
import { divideRounded, ONE, type Decimal } from '../decimal.ts'
import { someDays } from '../forecast/builders.ts'
import { LOWEST, scoresFrom, someTree, THRESHOLD } from './builders.ts'
import { advanceIncidents, replayIncidents, type Evaluation } from './incident.ts'
import { scorePart, type PartScore } from './score.ts'
import { findThreshold, thresholdFloor } from './threshold.ts'

const runs = { numRuns: 40 }
const tree = someTree()

const excess: fc.Arbitrary<Decimal> = fc.bigInt({ min: -3n * THRESHOLD, max: 4n * THRESHOLD })
const lowest = fc.record(Object.fromEntries(LOWEST.map((key) => [key, excess])))
const evaluations = fc
  .array(lowest, { minLength: 1, maxLength: 24 })
  .map((all) =>
    all.map((each, at): Evaluation => ({ hour: at * 24, threshold: THRESHOLD, scores: scoresFrom(tree, each) })),
  )

const withOrder = evaluations.chain((all) =>
  fc.record({
    all: fc.constant(all),
    replayed: fc
      .tuple(fc.shuffledSubarray(all, { minLength: all.length }), fc.subarray(all))
      .map(([shuffled, repeated]) => [...shuffled, ...repeated]),
  }),
)

test('replayed hours in any order give the same incidents and messages', () => {
  fc.assert(
    fc.property(withOrder, ({ all, replayed }) => {
      expect(replayIncidents(tree, replayed)).toEqual(replayIncidents(tree, all))
    }),
    runs,
  )
})

test('an hour that was evaluated before changes nothing', () => {
  fc.assert(
    fc.property(evaluations, fc.nat(23), (all, at) => {
      const log = replayIncidents(tree, all)
      expect(advanceIncidents(tree, log, all[at % all.length] ?? { hour: 0, threshold: 0n, scores: new Map() })).toBe(
        log,
      )
    }),
    runs,
  )
})

/** Together under half the threshold. */
const noise = fc.bigInt({ min: -THRESHOLD / 20n, max: THRESHOLD / 20n })
const noises = fc.record(Object.fromEntries(LOWEST.map((key) => [key, noise])))

test('one cause is one incident on its part, however long it lasts', () => {
  const heights = fc.array(fc.bigInt({ min: 2n * THRESHOLD, max: (29n * THRESHOLD) / 10n }), {
    minLength: 1,
    maxLength: 30,
  })
  fc.assert(
    fc.property(
      fc.constantFrom(...LOWEST),
      heights,
      fc.array(noises, { minLength: 30, maxLength: 30 }),
      (part, all, noisy) => {
        const hours = all.map((height, at): Evaluation => {
          const own = { ...noisy[at], [part]: height }
          return { hour: at * 24, threshold: THRESHOLD, scores: scoresFrom(tree, own) }
        })
        const { incidents, events } = replayIncidents(tree, hours)
        expect(incidents.map((incident) => incident.part)).toEqual([part])
        expect(events).toEqual([{ kind: 'opened', id: `0/${part}`, hour: 0 }])
      },
    ),
    runs,
  )
})

test('a price of 60 % or more is one incident, however many parts rise', () => {
  const share = fc.bigInt({ min: 60n, max: 100n })
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 0n, max: 9n * THRESHOLD }), { minLength: 5, maxLength: 5 }),
      share,
      (rises, percent) => {
        const own = Object.fromEntries(LOWEST.map((key, at) => [key, rises[at] ?? 0n]))
        const scores = scoresFrom(tree, own)
        const splits = new Map(
          [...scores].map(([key, score]) => [
            key,
            new Map([['compute price m5', divideRounded(score.excess * percent + 50n, 100n)]]),
          ]),
        )
        const events = replayIncidents(tree, [{ hour: 0, threshold: 3n * THRESHOLD, scores, splits }]).events
        const total = rises.reduce((sum, rise) => sum + rise, 0n)
        const rest = divideRounded(total * (100n - percent), 100n)
        if (total > 3n * THRESHOLD && rest < 3n * THRESHOLD) expect(events.map(({ id }) => id)).toEqual(['0/prod'])
      },
    ),
    runs,
  )
})

const history = fc
  .array(fc.integer({ min: 0, max: 1000 }), { minLength: 0, maxLength: 60 })
  .map((amounts) => someDays(20_000, amounts))

test('a gap raises no score, so it opens no incident', () => {
  const window = fc.array(fc.record({ usd: fc.bigInt({ min: 0n, max: 50n * ONE }), isKnown: fc.boolean() }), {
    minLength: 24,
    maxLength: 24,
  })
  fc.assert(
    fc.property(history, window, fc.integer({ min: 0, max: 24 }), (days, hours, passed) => {
      const asOf = { day: 20_000 + days.length, hours: passed }
      const sumOf = (some: typeof hours) => some.reduce((sum, { usd }) => sum + usd, 0n)
      const known = hours.filter(({ isKnown }) => isKnown)
      const whole = scorePart({ days }, asOf, { usd: sumOf(hours), knownHours: 24 })
      const gap = scorePart({ days }, asOf, { usd: sumOf(known), knownHours: known.length })
      expect(gap.excess).toBeLessThanOrEqual(whole.excess)
      expect(gap.isComplete).toBe(known.length === 24)
    }),
    runs,
  )
})

test('a gap ends no incident', () => {
  fc.assert(
    fc.property(evaluations, (all) => {
      const before = replayIncidents(tree, all)
      const open = before.incidents.filter(({ endedAt }) => endedAt === null).map(({ id }) => id)
      const silent: ReadonlyMap<string, PartScore> = new Map(
        [...tree.parts.keys()].map((key) => [key, { excess: -THRESHOLD, isComplete: false, isFitted: true }]),
      )
      const after = advanceIncidents(tree, before, { hour: all.length * 24, threshold: THRESHOLD, scores: silent })
      expect(after.incidents.filter(({ endedAt }) => endedAt === null).map(({ id }) => id)).toEqual(open)
      expect(after.events).toEqual(before.events)
    }),
    runs,
  )
})

const doubled = (all: readonly Evaluation[]): Evaluation[] =>
  all.map((each) => ({
    ...each,
    threshold: 2n * each.threshold,
    scores: new Map([...each.scores].map(([key, score]) => [key, { ...score, excess: 2n * score.excess }])),
  }))

test('doubled costs double the threshold and give the same messages; the threshold is never below its floor', () => {
  const usdPerDay = fc.bigInt({ min: 1n, max: 60_000n }).map((whole) => whole * ONE)
  fc.assert(
    fc.property(evaluations, usdPerDay, fc.integer({ min: 1, max: 3 }), (past, daily, alertsPer30Days) => {
      expect(replayIncidents(tree, doubled(past)).events).toEqual(replayIncidents(tree, past).events)
      const once = findThreshold({ tree, past, alertsPer30Days, usdPerDay: daily })
      expect(once).toBeGreaterThanOrEqual(thresholdFloor(daily))
      const twice = findThreshold({ tree, past: doubled(past), alertsPer30Days, usdPerDay: 2n * daily })
      if (daily >= 100n * ONE) expect(twice).toBe(2n * once)
    }),
    runs,
  )
})

test('the past opens no more incidents above the threshold than the alert budget', () => {
  fc.assert(
    fc.property(evaluations, fc.integer({ min: 1, max: 3 }), (past, alertsPer30Days) => {
      const threshold = findThreshold({ tree, past, alertsPer30Days, usdPerDay: ONE })
      const { events } = replayIncidents(
        tree,
        past.map((each) => ({ ...each, threshold })),
      )
      const opened = events.filter(({ kind }) => kind === 'opened').length
      expect(opened).toBeLessThanOrEqual(2 * alertsPer30Days)
    }),
    runs,
  )
})
