import { expect, test } from 'vitest'
import { KeptFigures } from './kept-figures.ts'

function counted(countMax = 2) {
  const kept = new KeptFigures<number>(countMax)
  let computed = 0
  const get = (key: string, revision = '1') => kept.get(key, revision, async () => (computed += 1))
  return { get }
}

test('the same revision is computed once', async () => {
  const { get } = counted()
  expect([await get('a'), await get('a'), await get('b')]).toEqual([1, 1, 2])
})

test('another revision is computed anew, and the old one is gone', async () => {
  const { get } = counted()
  expect([await get('a', '1'), await get('a', '2'), await get('a', '1')]).toEqual([1, 2, 3])
})

test('beyond the limit, what was not asked for the longest is forgotten', async () => {
  const { get } = counted()
  await get('a')
  await get('b')
  await get('a')
  await get('c')
  expect([await get('a'), await get('b')]).toEqual([1, 4])
})

test('what failed is not kept', async () => {
  const kept = new KeptFigures<number>(2)
  await expect(kept.get('a', '1', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await kept.get('a', '1', async () => 7)).toBe(7)
})
