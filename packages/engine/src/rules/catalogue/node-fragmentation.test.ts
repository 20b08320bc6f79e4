import { expect, test } from 'vitest'
import { aPool, fourNodes, evaluateRule, someFacts } from '../builders.ts'
import { nodeFragmentation } from './node-fragmentation.ts'
import type { PoolFacts } from '../facts/object-facts.ts'

const gib = 1024 * 1024
const evaluate = (over: Partial<PoolFacts>) => evaluateRule(nodeFragmentation, someFacts({ pools: [aPool(over)] }))

test('CPU that is unusable because memory is full is reported', () => {
  // 56 of 64 GiB and 6.4 of 16 cores: 87.5 % − 40 % of 16 cores at $12.50.
  const { findings } = evaluate({ requested: { cpuMillicores: 6400, memoryKib: 56 * gib } })
  expect(findings).toMatchObject([
    {
      bankableUsdPerMonth: 0,
      title: expect.stringMatching(
        /^Switch pool .* to instances with less CPU: \d+ % of memory but \d+ % of CPU is requested$/,
      ) as string,
    },
  ])
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(95, 6)
})

test('and the reverse', () => {
  const { findings } = evaluate({ requested: { cpuMillicores: 14_400, memoryKib: 16 * gib } })
  expect(findings).toMatchObject([
    {
      title: expect.stringMatching(
        /^Switch pool .* to instances with less memory: \d+ % of CPU but \d+ % of memory is requested$/,
      ) as string,
    },
  ])
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(130, 6)
})

test('nothing is found for a pool that is evenly full, or has free CPU and memory', () => {
  expect(evaluate({ requested: { cpuMillicores: 14_000, memoryKib: 56 * gib } }).findings).toEqual([])
  expect(evaluate({ requested: { cpuMillicores: 2000, memoryKib: 32 * gib } }).findings).toEqual([])
})

test('a pool of one node is omitted, one without prices is withheld', () => {
  const lopsided = { requested: { cpuMillicores: 6400, memoryKib: 56 * gib } }
  expect(evaluate({ ...lopsided, nodes: 1 }).findings).toEqual([])
  expect(evaluate({ ...lopsided, price: null }).reasons).toEqual(['no_price'])
})

test('nodes that cannot be drained keep their type; if all are blocked the finding is withheld with the reason', () => {
  const fate = { kind: 'kept', code: 'pod-marked', why: 'shop/report-1 is marked.' } as const
  const pools = [aPool({ requested: { cpuMillicores: 6400, memoryKib: 56 * gib } })]
  const withKept = (many: number) => fourNodes().map((node, index) => (index < many ? { ...node, fate } : node))
  const half = evaluateRule(nodeFragmentation, someFacts({ pools, nodes: withKept(2) }))
  expect(half.findings[0]?.estimatedUsdPerMonth).toBeCloseTo(95 / 2, 6)
  expect(half.findings[0]?.change.summary).toMatch(/\. node-1, node-2 are not replaced\.$/)
  expect(half.findings[0]?.checks.at(-1)?.found).toContain('node-1 (shop/report-1 is marked)')
  expect(evaluateRule(nodeFragmentation, someFacts({ pools, nodes: withKept(4) })).reasons).toEqual(['cannot_move'])
})
