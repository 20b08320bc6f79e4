import fc from 'fast-check'
import { expect, test } from 'vitest'
import { capShares } from './cap-shares.ts'

const sum = (shares: ReadonlyMap<string, bigint>) => [...shares.values()].reduce((total, each) => total + each, 0n)

test('an amount above the cap goes to the others, and the rest belongs to none', () => {
  const shares = new Map([
    ['a', 60n],
    ['b', 30n],
    ['c', 10n],
  ])
  expect(capShares(shares, new Map([['a', 20n]])).shares).toEqual(new Map([['a', 20n], ['b', 60n], ['c', 20n]])) // prettier-ignore
  const all = capShares(shares, new Map([['a', 20n], ['b', 30n], ['c', 15n]])) // prettier-ignore
  expect(all).toEqual({ shares: new Map([['a', 20n], ['b', 30n], ['c', 15n]]), unattributed: 35n }) // prettier-ignore
})

test('a loss stays with its causes', () => {
  expect(capShares(new Map([['a', -5n]]), new Map([['a', 3n]]))).toEqual({ shares: new Map([['a', -5n]]), unattributed: 0n }) // prettier-ignore
})

test('no share exceeds the cost of its object, and the sum stays the same', () => {
  const money = fc.bigInt({ min: 0n, max: 10n ** 30n })
  fc.assert(
    fc.property(fc.array(fc.tuple(money, fc.option(money, { nil: undefined })), { maxLength: 30 }), (things) => {
      const shares = new Map(things.map(([share], index) => [String(index), share]))
      const caps = new Map(things.flatMap(([, cap], index) => (cap === undefined ? [] : [[String(index), cap]])))
      const capped = capShares(shares, caps)
      expect(sum(capped.shares) + capped.unattributed).toBe(sum(shares))
      for (const [id, share] of capped.shares) expect(share <= (caps.get(id) ?? share)).toBe(true)
    }),
  )
})
