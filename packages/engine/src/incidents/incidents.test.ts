import { expect, test } from 'vitest'
import { roundDecimal } from '../decimal.ts'
import { dayOf, repeated, someDays, usd } from '../forecast/builders.ts'
import { anHour, someTree } from './builders.ts'
import { factsOf, type FactLine } from './facts.ts'
import { replayIncidents, type Evaluation } from './incident.ts'
import { partTree } from './part-tree.ts'
import { scorePart } from './score.ts'
import { findThreshold, thresholdFloor } from './threshold.ts'

const tree = someTree()
const replay = (...evaluations: Evaluation[]) => replayIncidents(tree, evaluations)
const day = 24

test('the expected cost of 24 hours takes each hour from its weekday', () => {
  // Four weeks give the factors 1.04 and 0.9. 18 hours of Sunday, 6 of Monday: 100 × (0.9 × 18 + 1.04 × 6) / 24 = 93.5.
  const week = [...repeated(110, 5), 75, 75]
  const monday = dayOf('2026-06-01')
  const days = someDays(monday, [...week, ...week, ...week, ...week, ...repeated(110, 5), 75])
  const score = scorePart({ days }, { day: monday + 35, hours: 6 }, { usd: usd(200), knownHours: 24 })
  expect(roundDecimal(score.excess)).toBe('106.500000')
  expect(score).toMatchObject({ isComplete: true, isFitted: true })
})

test('an incident opens on the lowest part that explains 60 % of every part above it', () => {
  expect(replay(anHour(0, { web: 150, etl: 90 })).incidents).toMatchObject([{ part: 'web', peakUsd: usd(150) }])
})

test('without such a part below, an incident opens on the whole', () => {
  expect(replay(anHour(0, { web: 150, etl: 110 })).incidents).toMatchObject([{ part: 'prod', peakUsd: usd(260) }])
  expect(replay(anHour(0, { web: 70, cart: 70 })).incidents).toMatchObject([{ part: 'shop', peakUsd: usd(140) }])
})

test('two causes that stand out one after the other are two incidents', () => {
  const { incidents } = replay(anHour(0, { web: 400 }), anHour(day, { web: 400, etl: 150 }))
  expect(incidents.map(({ part }) => part)).toEqual(['web', 'etl'])
})

test('a price that explains most of the excess is one incident for all parts', () => {
  const excess = { web: 120, cart: 120, etl: 120, db: 110, idle: 30 }
  const split = (price: number, replicas: number) =>
    new Map([
      ['compute price m6i.large', usd(price)],
      ['compute replicas ', usd(replicas)],
    ])
  const splits = new Map([
    ['all', split(400, 100)],
    ['prod', split(400, 100)],
  ])
  const { incidents, events } = replay(anHour(0, excess, { splits }), anHour(1, excess, { splits }))
  expect(incidents).toMatchObject([{ part: 'prod', kind: 'price', detail: 'm6i.large' }])
  expect(events).toEqual([{ kind: 'opened', id: '0/prod', hour: 0 }])
})

const priceSplit = (usdOfPrice: number) => new Map([['compute price m6i.large', usd(usdOfPrice)]])

test('a price is one incident of its cluster if the installation as a whole does not rise', () => {
  // Another cluster falls, so the cluster and both teams are the topmost parts over the threshold.
  const hour = anHour(0, { web: 150, etl: 150 })
  const scores = new Map([...hour.scores, ['all', { excess: 0n, isComplete: true, isFitted: true }]])
  const splits = new Map([
    ...['prod'].map((key) => [key, priceSplit(300)] as const),
    ...['blue', 'red', 'shop', 'data', 'web', 'etl'].map((key) => [key, priceSplit(150)] as const),
  ])
  expect(replay({ ...hour, scores, splits }).events).toEqual([{ kind: 'opened', id: '0/prod', hour: 0 }])
})

test('a price does not hide another rise in a part without a split', () => {
  // The price is 950 of 1500. The rest, 550, is mostly in `web`.
  const splits = new Map([['prod', priceSplit(950)]])
  const { incidents } = replay(anHour(0, { web: 1100, cart: 130, etl: 140, db: 130 }, { splits }))
  expect(incidents).toMatchObject([
    { part: 'prod', kind: 'price' },
    { part: 'web', kind: 'unknown' },
  ])
})

test('an open price incident does not hide a later rise, and the price stays one incident', () => {
  const price = { web: 100, cart: 100, etl: 100, db: 100 }
  const names = ['web', 'cart', 'etl', 'db']
  const splits = new Map([
    ['prod', priceSplit(400)],
    ...['shop', 'data', 'blue', 'red'].map((key) => [key, priceSplit(200)] as const),
    ...names.map((key) => [key, priceSplit(100)] as const),
  ])
  const opened = { kind: 'opened', id: '0/prod', hour: 0 }
  const first = anHour(0, price, { splits })
  expect(replay(first, anHour(30, price), anHour(100, price), anHour(200, price)).events).toEqual([opened])
  const { incidents } = replay(first, anHour(30, { ...price, etl: 350 }))
  expect(incidents).toMatchObject([{ part: 'prod', kind: 'price' }, { part: 'etl' }])
})

test('the largest effect names the cause', () => {
  const splits = new Map([
    [
      'web',
      new Map([
        ['compute hours ', usd(500)],
        ['compute request cpu', usd(90)],
        ['compute replicas ', usd(60)],
      ]),
    ],
  ])
  expect(replay(anHour(0, { web: 150 }, { splits })).incidents).toMatchObject([{ kind: 'request', detail: 'cpu' }])
  expect(replay(anHour(0, { web: 150 })).incidents).toMatchObject([{ kind: 'unknown' }])
})

test('idle cost of the cluster is a separate incident', () => {
  expect(replay(anHour(0, { idle: 150 })).incidents).toMatchObject([{ part: 'idle' }])
})

test('a part that fills idle capacity is a shift: listed, not sent, until the cluster rises', () => {
  const shift = replay(anHour(0, { web: 150, idle: -140 }), anHour(1, { web: 150, idle: -140 }))
  expect(shift).toMatchObject({ incidents: [{ part: 'web', isShift: true }], events: [] })
  const later = replay(anHour(0, { web: 150, idle: -140 }), anHour(1, { web: 150, idle: 0 }))
  expect(later).toMatchObject({ incidents: [{ isShift: false }], events: [{ kind: 'opened', hour: 1 }] })
})

test('what follows in related parts within 7 days joins, and opens an incident later', () => {
  const risen = anHour(0, { web: 150 })
  const follows = (hour: number) => replay(risen, anHour(hour, { web: 150, cart: 70, db: 70 }))
  expect(follows(7 * day).incidents).toMatchObject([{ part: 'web', joined: [{ part: 'prod' }] }])
  expect(follows(7 * day + 1).incidents).toMatchObject([{ part: 'web', joined: [] }, { part: 'prod' }])
})

test('an incident ends under half the threshold with 24 known hours', () => {
  expect(replay(anHour(0, { web: 150 }), anHour(1, { web: 50 })).incidents[0]?.endedAt).toBeNull()
  const ended = replay(anHour(0, { web: 150 }), anHour(1, { web: 49 }))
  expect(ended.incidents[0]?.endedAt).toBe(1)
  expect(ended.events.at(-1)).toEqual({ kind: 'ended', id: '0/web', hour: 1 })
})

test('an incident that returns within 7 days is the same incident', () => {
  const { incidents, events } = replay(anHour(0, { web: 150 }), anHour(1, { web: 0 }), anHour(5 * day, { web: 160 }))
  expect(incidents).toMatchObject([{ part: 'web', openedAt: 0, endedAt: null, peakUsd: usd(160) }])
  expect(events.map(({ kind }) => kind)).toEqual(['opened', 'ended'])
})

test('each growth by half is sent once, measured from the 24 hours after the last message', () => {
  const log = replay(
    ...[anHour(0, { web: 110 }), anHour(12, { web: 200 }), anHour(30, { web: 299 }), anHour(40, { web: 300 })],
    ...[anHour(50, { web: 440 }), anHour(60, { web: 110 }), anHour(70, { web: 659 }), anHour(80, { web: 660 })],
  )
  expect(log.events).toEqual([
    { kind: 'opened', id: '0/web', hour: 0 },
    { kind: 'grew', id: '0/web', hour: 40 },
    { kind: 'grew', id: '0/web', hour: 80 },
  ])
  expect(log.incidents).toMatchObject([{ announcedUsd: usd(660), peakUsd: usd(660) }])
})

const young = { excess: 0n, isComplete: true, isFitted: false }

test('a part without 28 days opens nothing, but can be the place of an excess above it', () => {
  const hour = anHour(0, { web: 150 })
  const allYoung = {
    ...hour,
    scores: new Map([...hour.scores].map(([key, score]) => [key, { ...score, isFitted: false }])),
  }
  expect(replay(allYoung).incidents).toEqual([])
  const newWorkload = { ...hour, scores: new Map([...hour.scores, ['web', { ...young, excess: usd(150) }]]) }
  expect(replay(newWorkload).incidents).toMatchObject([{ part: 'web' }])
})

const line: FactLine = {
  part: 'web',
  level: 'workload',
  effects: new Map([
    ['compute request cpu', usd(4)],
    ['compute replicas ', usd(3)],
    ['compute usage cpu', usd(50)],
  ]),
  hours: 1,
  clusterUsd: usd(7),
  idleUsd: usd(0),
  isAutoscaled: false,
}

test('facts are valued per day, without usage and without autoscaled replicas', () => {
  expect(factsOf([line])).toEqual([
    { part: 'web', kind: 'request', detail: 'cpu', usdPerDay: usd(168), isShift: false },
  ])
  expect(factsOf([{ ...line, isAutoscaled: true }])).toMatchObject([{ usdPerDay: usd(96) }])
  expect(factsOf([{ ...line, clusterUsd: usd(2.8), idleUsd: usd(-4.2) }])).toMatchObject([{ isShift: true }])
  expect(factsOf([{ ...line, effects: new Map([['compute request cpu', usd(-4)]]) }])).toEqual([])
  const cluster = { ...line, part: 'prod', level: 'cluster' as const, effects: new Map([['idle price m5', usd(10)]]) }
  expect(factsOf([cluster])).toMatchObject([{ part: 'prod', kind: 'price', detail: 'm5', usdPerDay: usd(240) }])
})

test('a rise is no shift if another workload ended at the same time, or if it is a price', () => {
  expect(factsOf([{ ...line, clusterUsd: usd(0) }])).toMatchObject([{ isShift: false }])
  const effects = new Map([['idle price m5', usd(10)]])
  const price = { ...line, level: 'cluster' as const, effects, clusterUsd: usd(0), idleUsd: usd(-10) }
  expect(factsOf([price])).toMatchObject([{ kind: 'price', isShift: false }])
})

test('a fact opens an incident without a forecast, and the excess that follows joins it', () => {
  const facts = factsOf([line])
  const quiet = new Map([['web', young]])
  expect(replay(anHour(0, {}, { facts, scores: quiet })).incidents).toMatchObject([{ part: 'web', kind: 'request' }])
  const { events } = replay(anHour(0, { web: 7 }, { facts }), anHour(1, { web: 60 }), anHour(23, { web: 160 }))
  expect(events).toEqual([{ kind: 'opened', id: '0/web', hour: 0 }])
  expect(replay(anHour(0, {}, { facts: factsOf([{ ...line, hours: 2 }]) })).incidents).toEqual([])
})

test('the threshold is the smallest amount that keeps the alert budget', () => {
  // One peak each in four separate weeks of 60 days. A budget of 1 per 30 days allows two of them.
  const peaks = new Map([
    [5, 400],
    [20, 300],
    [35, 200],
    [50, 150],
  ])
  const past = Array.from({ length: 60 }, (_, at) => anHour(at * day, { web: peaks.get(at) ?? 0 }))
  const thresholdOf = (alertsPer30Days: number) =>
    roundDecimal(findThreshold({ tree, past, alertsPer30Days, usdPerDay: usd(2000) }), 0)
  expect([0.5, 1, 1.5, 2].map(thresholdOf)).toEqual(['300', '200', '150', '20'])
})

test('the threshold needs a few replays, however many hours are over the floor', () => {
  let reads = 0
  const past = Array.from({ length: 20 * day }, (_, hour) => {
    const score = {
      get excess() {
        reads += 1
        return usd(50 + hour / 100)
      },
      ...{ isComplete: true, isFitted: true },
    }
    return { hour, scores: new Map([['web', score]]) }
  })
  // The excess grows from $50 to $54.79. A budget of 0 allows nothing above the threshold.
  expect(findThreshold({ tree, past, alertsPer30Days: 0, usdPerDay: usd(100) })).toBe(usd(54.79))
  expect(findThreshold({ tree, past, alertsPer30Days: 1, usdPerDay: usd(100) })).toBe(usd(1))
  expect(reads).toBeLessThan(100 * past.length)
})

test('the threshold keeps the budget of a fleet with 60 days of hours', () => {
  const keys = Array.from({ length: 60 }, (_, index) => `workload ${index}`)
  const fleet = partTree([
    { key: 'prod', level: 'cluster', parents: [] },
    ...keys.map((key) => ({ key, level: 'workload' as const, parents: ['prod'] })),
  ])
  // On day n, hour 7, workload n rises by $100 + n. A budget of 4 per 30 days allows the 8 largest: days 52 to 59.
  const past = keys.map((key, at) => {
    const score = { excess: usd(100 + at), isComplete: true, isFitted: true }
    const scores = new Map([...keys, 'prod'].map((each) => [each, { ...score, excess: 0n }]))
    return { hour: at * day + 7, scores: scores.set(key, score).set('prod', score) }
  })
  expect(findThreshold({ tree: fleet, past, alertsPer30Days: 4, usdPerDay: usd(100) })).toBe(usd(151))
})

test('the threshold is at least 1 % of the daily cost and $1', () => {
  expect(thresholdFloor(usd(2000))).toBe(usd(20))
  expect(thresholdFloor(usd(20))).toBe(usd(1))
  expect(findThreshold({ tree, past: [], alertsPer30Days: 4, usdPerDay: usd(20) })).toBe(usd(1))
})
