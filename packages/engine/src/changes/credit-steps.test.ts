import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodeCredits, waterfallCauses, type StepCredit } from './credit-steps.ts'
import { emptyWaterfall } from './waterfall.ts'
import { WATERFALL_PARTS } from '../vocabulary/changes.ts'

const sum = (amounts: Iterable<bigint>) => [...amounts].reduce((total, each) => total + each, 0n)

test('a step takes the nodes that it named; other changes of nodes stay a separate cause', () => {
  const parts = { ...emptyWaterfall(), nodes_removed: -300n, nodes_added: 120n, storage: -15n }
  const nodes = [
    { uid: 'a', movement: 'removed' as const, usd: -200n },
    { uid: 'b', movement: 'removed' as const, usd: -100n },
    { uid: 'c', movement: 'added' as const, usd: 120n },
  ]
  const named = new Map([
    ['a', { removed: 'first' }],
    ['c', { removed: 'first' }],
  ])
  const credits: StepCredit[] = [...nodeCredits(nodes, named), { stepId: 'second', part: 'storage', usd: -10n }]
  const { steps, others } = waterfallCauses(parts, credits)
  expect([...steps]).toEqual([
    ['first', -200n],
    ['second', -10n],
  ])
  expect(others).toMatchObject({ nodes: 20n, storage: -5n, price: 0n })
})

test('a replacement that a later step removes is a cost of the first step and savings of the second', () => {
  // The first step replaces `a` ($200) by `b` ($70); the second step removes `b`.
  const named = new Map([
    ['a', { removed: 'first' }],
    ['b', { added: 'first', removed: 'second' }],
  ])
  const ofFirst = [
    { uid: 'a', movement: 'removed' as const, usd: -200n },
    { uid: 'b', movement: 'added' as const, usd: 70n },
  ]
  const ofSecond = [{ uid: 'b', movement: 'removed' as const, usd: -70n }]
  const credits = (nodes: Parameters<typeof nodeCredits>[0]) => nodeCredits(nodes, named).map(({ stepId, usd }) => [stepId, usd]) // prettier-ignore
  expect(credits(ofFirst)).toEqual([
    ['first', -200n],
    ['first', 70n],
  ])
  expect(credits(ofSecond)).toEqual([['second', -70n]])
})

const usd = fc.bigInt({ min: -1000n, max: 1000n })
const waterfall = fc
  .array(usd, { minLength: WATERFALL_PARTS.length, maxLength: WATERFALL_PARTS.length })
  .map((amounts) => ({
    ...emptyWaterfall(),
    ...Object.fromEntries(WATERFALL_PARTS.map((part, at) => [part, amounts[at] ?? 0n])),
  }))
const credit = fc.record({
  stepId: fc.constantFrom('first', 'second', 'third'),
  part: fc.constantFrom('nodes' as const, 'storage' as const, 'load_balancers' as const, 'fees' as const),
  usd,
})

test('the causes add up to the difference, however it is credited', () => {
  fc.assert(
    fc.property(waterfall, fc.array(credit), (parts, credits) => {
      const { steps, others } = waterfallCauses(parts, credits)
      expect(sum([...steps.values(), ...Object.values(others)])).toBe(sum(Object.values(parts)))
    }),
  )
})
