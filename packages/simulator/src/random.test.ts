import { expect, test } from 'vitest'
import { noise, Random, seedOf } from './random.ts'
import { uidOf } from './world/names.ts'

test('the same seed gives the same sequence, another seed another one', () => {
  const row = (seed: number) => {
    const random = new Random(seed)
    return Array.from({ length: 5 }, () => random.next())
  }
  expect(row(1)).toEqual(row(1))
  expect(row(1)).not.toEqual(row(2))
})

test('the mean over many draws is the expected value', () => {
  const random = new Random(3)
  const sum = Array.from({ length: 10_000 }, () => random.around(2.3)).reduce((a, b) => a + b)
  expect(sum / 10_000).toBeCloseTo(2.3, 1)
})

test('noise is uniform and does not depend on earlier calls', () => {
  const values = Array.from({ length: 10_000 }, (_, index) => noise(9, index, 4))
  expect(values.reduce((a, b) => a + b) / values.length).toBeCloseTo(0.5, 1)
  expect(noise(9, 1234, 4)).toBe(values[1234])
})

test('no two objects of a world share a uid', () => {
  const uids = Array.from({ length: 50_000 }, (_, id) => uidOf(seedOf('a world'), id))
  expect(new Set(uids).size).toBe(50_000)
  expect(uids[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
})
