import { expect, test } from 'vitest'
import { KeptFigures } from './kept-figures.ts'

function counted(countMax = 2) {
  const kept = new KeptFigures<number>(countMax)
  let computed = 0
  const get = (key: string, revision = '1') => kept.get(key, revision, async () => (computed += 1))
  return { get }
}

function resolvers() {
  let resolve: (value: number) => void = () => undefined
  let reject: (error: Error) => void = () => undefined
  const promise = new Promise<number>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

test('the same revision is computed once', async () => {
  const { get } = counted()
  expect([await get('a'), await get('a'), await get('b')]).toEqual([1, 1, 2])
})

test('another revision is computed again, and the old one is dropped', async () => {
  const { get } = counted()
  expect([await get('a', '1'), await get('a', '2'), await get('a', '1')]).toEqual([1, 2, 3])
})

test('beyond the limit, the least recently used one is dropped', async () => {
  const { get } = counted()
  await get('a')
  await get('b')
  await get('a')
  await get('c')
  expect([await get('a'), await get('b')]).toEqual([1, 4])
})

test('a failed computation is not cached', async () => {
  const kept = new KeptFigures<number>(2)
  await expect(kept.get('a', '1', () => Promise.reject(new Error('away')))).rejects.toThrow('away')
  expect(await kept.get('a', '1', async () => 7)).toBe(7)
})

test('concurrent callers wait for one computation, and compute again if it fails', async () => {
  const kept = new KeptFigures<number>(2)
  const first = resolvers()
  const answers = [
    kept.get('a', '1', () => first.promise),
    kept.get('a', '1', () => Promise.reject(new Error('twice'))),
  ]
  first.resolve(1)
  expect(await Promise.all(answers)).toEqual([1, 1])

  const second = resolvers()
  const begun = kept.get('b', '1', () => second.promise)
  const waiting = kept.get('b', '1', async () => 2)
  second.reject(new Error('away'))
  await expect(begun).rejects.toThrow('away')
  expect(await waiting).toBe(2)
  expect(await kept.get('b', '1', async () => 3)).toBe(2)
})
