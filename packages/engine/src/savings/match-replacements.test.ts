import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupBy } from '../group-by.ts'
import { SECONDS_PER_DAY as day } from '../time.ts'
import { matchReplacements, type NamedAt } from './match-replacements.ts'
import type { NodeLife } from './node-life.ts'
import { lawRuns } from '../../../../test/rounds.ts'

const life = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    pool: fc.constantFrom('general', 'other'),
    startedAt: fc.integer({ min: 0, max: 30 }),
    days: fc.option(fc.integer({ min: 1, max: 20 }), { nil: null }),
    namedAfter: fc.option(fc.integer({ min: 0, max: 19 }), { nil: null }),
  })
  .map(({ startedAt, days, ...rest }) => ({
    ...rest,
    startedAt: (startedAt * day) / 2,
    endedAt: days === null ? null : ((startedAt + days) * day) / 2,
  }))

const world = fc.array(life, { maxLength: 16 }).map((all) => {
  const lives = all.map((each, at): NodeLife => ({ ...each, uid: `uid-${at}`, usdPerMonth: null }))
  const named = all.flatMap(({ startedAt, endedAt, namedAfter }, at): [string, number][] => {
    if (namedAfter === null) return []
    return [[`uid-${at}`, Math.min(startedAt + (namedAfter * day) / 2, (endedAt ?? Infinity) - 1)]]
  })
  return { lives, namedAt: new Map(named) }
})

/** The definition: each start, in order of time, takes the nearest free end. Nodes with the same name come first. */
function matchByDefinition(lives: readonly NodeLife[], namedAt: NamedAt): Map<string, string> {
  const replacements = new Map<string, string>()
  const taken = new Set<string>()
  const order = (a: NodeLife, b: NodeLife) => (a.uid < b.uid ? -1 : 1)
  for (const keyOf of [({ name }: NodeLife) => name, ({ pool }: NodeLife) => pool]) {
    const starts = lives.filter(({ uid }) => !taken.has(uid))
    for (const group of groupBy(lives, keyOf).values()) {
      const own = starts.filter((start) => group.includes(start))
      for (const start of own.sort((a, b) => a.startedAt - b.startedAt || order(a, b))) {
        const free = group.filter(({ uid, startedAt, endedAt }) => {
          if (endedAt === null || replacements.has(uid)) return false
          const delay = start.startedAt - endedAt
          const isLater = start.startedAt > Math.max(startedAt, namedAt.get(uid) ?? startedAt)
          return isLater && delay >= -day && delay <= 7 * day
        })
        const distance = ({ endedAt }: NodeLife) => Math.abs(start.startedAt - (endedAt ?? 0))
        const isNamed = ({ uid }: NodeLife) => Number(namedAt.has(uid))
        const [nearest] = free.sort((a, b) => distance(a) - distance(b) || isNamed(a) - isNamed(b) || order(a, b))
        if (!nearest) continue
        replacements.set(nearest.uid, start.uid)
        taken.add(start.uid)
      }
    }
  }
  return replacements
}

test('the sweep finds the replacements of the definition', () => {
  fc.assert(
    fc.property(world, ({ lives, namedAt }) => {
      const found = [...matchReplacements(lives, namedAt)].map(([uid, start]) => [uid, start.uid])
      expect(Object.fromEntries(found)).toEqual(Object.fromEntries(matchByDefinition(lives, namedAt)))
    }),
    lawRuns(400),
  )
})

test('50,000 nodes of one pool are read a bounded number of times each', () => {
  const nodes = 50_000
  let reads = 0
  const lives = Array.from({ length: nodes }, (_, at): NodeLife => ({
    ...{ uid: `uid-${at}`, name: `node-${at}`, pool: 'spot', usdPerMonth: null },
    get startedAt() {
      reads += 1
      return at * 60
    },
    get endedAt() {
      reads += 1
      return at * 60 + day
    },
  }))
  expect(matchReplacements(lives, new Map()).size).toBeGreaterThan(nodes - 2000)
  expect(reads / nodes).toBeLessThan(100)
})
