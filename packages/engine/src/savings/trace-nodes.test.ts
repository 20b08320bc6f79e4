import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal, type Decimal } from '../decimal.ts'
import { SECONDS_PER_DAY as day } from '../time.ts'
import type { NodeLife } from './node-life.ts'
import { traceNodes, type NamedNode, type NamingStep } from './trace-nodes.ts'
import { lawRuns } from '../../../../test/rounds.ts'

const aLife = (name: string, more: Partial<NodeLife> = {}): NodeLife => ({
  uid: `uid-${name}-${more.startedAt ?? 0}`,
  name,
  pool: 'general',
  startedAt: 0,
  endedAt: null,
  usdPerMonth: decimal('100'),
  ...more,
})

const named = (name: string, replacedBy: string | null = null): NamedNode => ({
  name,
  pool: 'general',
  promisedUsd: decimal('100'),
  replacedBy,
})

const aStep = (names: readonly string[], more: Partial<NamingStep> = {}): NamingStep => ({
  id: 'step',
  promisedAt: 10 * day,
  appliedAt: 11 * day,
  nodes: names.map((name) => named(name)),
  ...more,
})

const statesOf = (lives: NodeLife[], step = aStep(['a'])) => traceNodes(lives, [step]).get('step')

test.each([
  { name: 'is gone if it ended', lives: [aLife('a', { endedAt: 12 * day })], state: 'gone', usd: '100' },
  { name: 'stays while it runs', lives: [aLife('a')], state: 'stays', usd: '0' },
  { name: 'is unknown without data', lives: [aLife('b')], state: 'unknown', usd: '0' },
  {
    name: 'is replaced by a node of its pool that starts within days',
    lives: [aLife('a', { endedAt: 12 * day }), aLife('b', { startedAt: 13 * day })],
    state: 'replaced',
    usd: '0',
  },
  {
    name: 'is replaced by a smaller node, and the difference is off the bill',
    lives: [aLife('a', { endedAt: 12 * day }), aLife('b', { startedAt: 12 * day, usdPerMonth: decimal('40') })],
    state: 'replaced',
    usd: '60',
  },
  {
    name: 'is replaced by a node with the same name',
    lives: [aLife('a', { endedAt: 12 * day }), aLife('a', { startedAt: 12 * day + 60 })],
    state: 'replaced',
    usd: '0',
  },
  {
    name: 'is replaced by a node with the same name, also if another node ended nearer',
    lives: [
      aLife('a', { endedAt: 12 * day }),
      aLife('x', { endedAt: 12.01 * day }),
      aLife('a', { startedAt: 12.02 * day }),
    ],
    state: 'replaced',
    usd: '0',
  },
  {
    name: 'is replaced by a node with the same name in another pool',
    lives: [aLife('a', { endedAt: 12 * day }), aLife('a', { startedAt: 12.02 * day, pool: 'other' })],
    state: 'replaced',
    usd: '0',
  },
  {
    name: 'is not priced if its price is not known',
    lives: [aLife('a', { endedAt: 12 * day, usdPerMonth: null })],
    state: 'not_priced',
    usd: '0',
  },
  {
    name: 'is not priced if the price of its replacement is not known',
    lives: [aLife('a', { endedAt: 12 * day }), aLife('b', { startedAt: 12 * day, usdPerMonth: null })],
    state: 'not_priced',
    usd: '0',
  },
  {
    name: 'gives no credit if it ended before the first change was applied',
    lives: [aLife('a', { endedAt: 10.5 * day })],
    state: 'ended_before',
    usd: '0',
  },
  {
    name: 'is gone if its replacement is gone',
    lives: [aLife('a', { endedAt: 12 * day }), aLife('b', { startedAt: 12 * day, endedAt: 30 * day })],
    state: 'gone',
    usd: '100',
  },
  {
    name: 'is not replaced by a node of another pool, of an earlier day, or of a later month',
    lives: [
      aLife('a', { endedAt: 12 * day }),
      aLife('b', { startedAt: 12 * day, pool: 'other' }),
      aLife('c', { startedAt: 9 * day }),
      aLife('d', { startedAt: 40 * day }),
    ],
    state: 'gone',
    usd: '100',
  },
  {
    name: 'is not replaced by the replacement of an unnamed node',
    lives: [
      aLife('a', { endedAt: 12 * day }),
      aLife('other', { endedAt: 14 * day }),
      aLife('b', { startedAt: 14 * day }),
    ],
    state: 'gone',
    usd: '100',
  },
])('a named node $name', ({ lives, state, usd }) => {
  expect(statesOf(lives)).toMatchObject([{ state, offUsd: decimal(usd) }])
})

test('a planned replacement is not a failure: the node is gone, and the bill drops by the difference', () => {
  const lives = [aLife('a', { endedAt: 12 * day }), aLife('b', { startedAt: 12 * day, usdPerMonth: decimal('40') })]
  const step = aStep([], { nodes: [named('a', 'm6i.large')] })
  expect(statesOf(lives, step)).toMatchObject([{ state: 'gone', offUsd: decimal('60'), replacement: { name: 'b' } }])
})

test('a node that two steps named counts for the later step', () => {
  const lives = [aLife('a', { endedAt: 20 * day })]
  const steps = [aStep(['a'], { id: 'early' }), aStep(['a'], { id: 'late', promisedAt: 12 * day })]
  const fates = traceNodes(lives, steps)
  expect(fates.get('early')).toMatchObject([{ state: 'claimed', offUsd: 0n }])
  expect(fates.get('late')).toMatchObject([{ state: 'gone', offUsd: decimal('100') }])
})

test('a node that two steps named and that still runs counts for the later step', () => {
  const steps = [aStep(['a'], { id: 'early' }), aStep(['a'], { id: 'late', promisedAt: 12 * day })]
  const fates = traceNodes([aLife('a')], steps)
  expect([fates.get('early')?.[0]?.state, fates.get('late')?.[0]?.state]).toEqual(['claimed', 'stays'])
})

test('a node that ended before the later step was applied counts for the earlier step', () => {
  const late = aStep(['a'], { id: 'late', promisedAt: 12 * day, appliedAt: 30 * day })
  const fates = traceNodes([aLife('a', { endedAt: 20 * day })], [aStep(['a'], { id: 'early' }), late])
  expect([fates.get('early')?.[0]?.state, fates.get('late')?.[0]?.state]).toEqual(['gone', 'claimed'])
})

test('a replacement that a later step removes counts there, with the price between both', () => {
  const lives = [
    aLife('a', { endedAt: 12 * day }),
    aLife('b', { startedAt: 12 * day, endedAt: 20 * day, usdPerMonth: decimal('70') }),
    aLife('c', { startedAt: 20 * day, usdPerMonth: decimal('40') }),
  ]
  const late = aStep(['b'], { id: 'late', promisedAt: 15 * day, appliedAt: 16 * day })
  const fates = traceNodes(lives, [aStep(['a'], { id: 'early' }), late])
  expect(fates.get('early')).toMatchObject([{ state: 'replaced', offUsd: decimal('30') }])
  expect(fates.get('late')).toMatchObject([{ state: 'replaced', offUsd: decimal('30') }])
})

test('a replacement that ended before the later step was applied is off the bill for the earlier step', () => {
  const lives = [
    aLife('a', { endedAt: 12 * day }),
    aLife('b', { startedAt: 12 * day, endedAt: 20 * day, usdPerMonth: decimal('70') }),
  ]
  const late = aStep(['b'], { id: 'late', promisedAt: 15 * day, appliedAt: 25 * day })
  const early = aStep([], { id: 'early', nodes: [named('a', 'm6i.large')] })
  const fates = traceNodes(lives, [early, late])
  expect(fates.get('late')).toMatchObject([{ state: 'ended_before', offUsd: 0n }])
  expect(fates.get('early')).toMatchObject([{ state: 'gone', replacement: null, offUsd: decimal('100') }])
})

const names = ['a', 'b', 'c', 'd', 'e', 'f']
const life = fc
  .record({
    name: fc.constantFrom(...names),
    pool: fc.constantFrom('general', 'other'),
    startedAt: fc.integer({ min: 0, max: 40 }),
    days: fc.option(fc.integer({ min: 1, max: 30 }), { nil: null }),
    usd: fc.integer({ min: 0, max: 500 }),
  })
  .map(({ name, pool, startedAt, days, usd }) => ({
    ...{ name, pool },
    startedAt: startedAt * day,
    endedAt: days === null ? null : (startedAt + days) * day,
    usdPerMonth: decimal(String(usd)),
  }))
const world = fc.array(life, { maxLength: 14 }).map((all) => all.map((each, at) => ({ ...each, uid: `uid-${at}` })))
const steps = fc
  .array(fc.record({ promisedAt: fc.integer({ min: 0, max: 40 }), nodes: fc.uniqueArray(fc.constantFrom(...names)) }), {
    maxLength: 4,
  })
  .map((all) =>
    all.map(({ promisedAt, nodes }, at) =>
      aStep(nodes, { id: `step-${at}`, promisedAt: promisedAt * day, appliedAt: promisedAt * day }),
    ),
  )

test('no node and no replacement counts twice, and a replaced node is not gone', () => {
  fc.assert(
    fc.property(world, steps, (lives, named) => {
      const fates = [...traceNodes(lives, named).values()].flat()
      const credited = fates.filter(({ state }) => state === 'gone' || state === 'replaced')
      const uids = credited.map(({ life: own }) => own?.uid)
      expect(new Set(uids).size).toBe(uids.length)
      const replacements = credited.flatMap(({ replacement }) => replacement?.uid ?? [])
      expect(new Set(replacements).size).toBe(replacements.length)
      for (const { state, life: own, replacement } of fates) {
        if (state === 'gone') expect([own?.endedAt === null, replacement]).toEqual([false, null])
        const isNamed = fates.some((each) => each.life?.uid === replacement?.uid)
        if (state === 'replaced') expect(replacement?.endedAt === null || isNamed).toBe(true)
      }
      const price = (all: readonly (NodeLife | null)[]) =>
        all.reduce<Decimal>((sum, each) => sum + (each?.usdPerMonth ?? 0n), 0n)
      const off = fates.reduce((sum, { offUsd }) => sum + offUsd, 0n)
      expect(off).toBe(price(credited.map((each) => each.life)) - price(credited.map((each) => each.replacement)))
    }),
    lawRuns(300),
  )
})
