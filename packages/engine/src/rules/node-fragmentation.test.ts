import { expect, test } from 'vitest'
import { aPool, sayOf, someFacts } from './builders.ts'
import { nodeFragmentation } from './node-fragmentation.ts'
import type { PoolFacts } from './object-facts.ts'

const gib = 1024 * 1024
const say = (over: Partial<PoolFacts>) => sayOf(nodeFragmentation, someFacts({ pools: [aPool(over)] }))

test('CPU that memory keeps from being used is paid for in vain', () => {
  // 56 of 64 GiB and 6.4 of 16 cores: 87.5 % − 40 % of 16 cores at $12.50.
  const { findings } = say({ requested: { cpuMillicores: 6400, memoryKib: 56 * gib } })
  expect(findings).toMatchObject([{ bankableUsdPerMonth: 0, title: /full of memory and pays for CPU/ }])
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(95, 6)
})

test('and the reverse', () => {
  const { findings } = say({ requested: { cpuMillicores: 14_400, memoryKib: 16 * gib } })
  expect(findings).toMatchObject([{ title: /full of CPU and pays for memory/ }])
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(130, 6)
})

test('nothing is said about a pool that is evenly full, or has room of both', () => {
  expect(say({ requested: { cpuMillicores: 14_000, memoryKib: 56 * gib } }).findings).toEqual([])
  expect(say({ requested: { cpuMillicores: 2000, memoryKib: 32 * gib } }).findings).toEqual([])
})

test('a pool of one node is left out, one without prices is withheld', () => {
  const lopsided = { requested: { cpuMillicores: 6400, memoryKib: 56 * gib } }
  expect(say({ ...lopsided, nodes: 1 }).findings).toEqual([])
  expect(say({ ...lopsided, price: null }).reasons).toEqual(['no_price'])
})
