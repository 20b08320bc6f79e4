import { expect, test } from 'vitest'
import { ONE } from '../decimal.ts'
import { adjustNodeCost } from './adjust-node-cost.ts'

test('a credit larger than the cost leaves nothing to pay and hands the rest back', () => {
  const adjusted = adjustNodeCost({ cpu: 6n * ONE, memory: 4n * ONE, gpu: 0n }, -12n * ONE)
  expect(adjusted).toEqual({ costs: { cpu: 0n, memory: 0n, gpu: 0n }, left: -2n * ONE })
})
