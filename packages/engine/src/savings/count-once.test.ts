import { expect, test } from 'vitest'
import { decimal } from '../decimal.ts'
import { countOnce, type StepPromise } from './count-once.ts'

const aPromise = (
  id: string,
  shares: Record<string, string>,
  nodes: readonly { usd: string; isClaimed?: boolean }[],
): StepPromise => ({
  id,
  promisedAt: id.charCodeAt(0),
  promisedUsd: Object.values(shares).reduce((sum, share) => sum + decimal(share), 0n),
  members: Object.entries(shares).map(([member, share]) => ({ id: member, shareUsd: decimal(share) })),
  nodes: nodes.map(({ usd, isClaimed = false }) => ({ promisedUsd: decimal(usd), isClaimed })),
})

test('a promise whose only node counts for a later step ends', () => {
  const early = aPromise('a', { m1: '60', m2: '40' }, [{ usd: '100', isClaimed: true }])
  const late = aPromise('b', { m2: '70', m3: '30' }, [{ usd: '100' }])
  const counted = countOnce([early, late])
  expect([...counted.keys()]).toEqual(['b'])
  expect(counted.get('b')?.promisedUsd).toBe(decimal('100'))
})

test('the price of a claimed node leaves the promise, and the shares add up to the rest', () => {
  const early = aPromise('a', { m1: '150', m2: '50' }, [{ usd: '120', isClaimed: true }, { usd: '80' }])
  const counted = countOnce([early]).get('a')
  expect(counted?.promisedUsd).toBe(decimal('80'))
  expect(counted?.shares).toEqual(
    new Map([
      ['m1', decimal('60')],
      ['m2', decimal('20')],
    ]),
  )
})

test('a recommendation counts in the latest promise, and its share leaves the earlier one', () => {
  const early = aPromise('a', { m1: '60', m2: '40' }, [])
  const late = aPromise('b', { m2: '30', m3: '5' }, [])
  const counted = countOnce([early, late])
  expect(counted.get('a')).toMatchObject({ promisedUsd: decimal('60'), shares: new Map([['m1', decimal('60')]]) })
  expect(counted.get('b')?.promisedUsd).toBe(decimal('35'))
})

test('an ended promise claims no recommendation', () => {
  const early = aPromise('a', { m1: '100' }, [{ usd: '100' }])
  const late = aPromise('b', { m1: '100' }, [{ usd: '100', isClaimed: true }])
  expect([...countOnce([early, late]).keys()]).toEqual(['a'])
})
