import type { Statement } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { changeLines } from './change-lines.ts'

const effects = [
  { part: 'compute', kind: 'replicas', amount: 2, exact_amount: '2' },
  { part: 'compute', kind: 'price', amount: -0.5, exact_amount: '-0.5' },
]
const statement = {
  own: { total: 7.5 },
  shared: {
    parts: [
      { part: 'idle', amount: 2.7 },
      { part: 'overhead', amount: 1 },
    ],
  },
  adjustments: [],
  total: 11.2,
  changes: {
    before: 10,
    difference: 1.2,
    own: {
      by: ['workload'],
      total: { effects },
      rows: [
        {
          names: { workload: 'shop/Deployment/web' },
          effects,
          workload: {
            pods: { before: 8, now: 10 },
            cpu_request_millicores: { before: 500, now: 500 },
            memory_request_bytes: { before: 1, now: 1 },
          },
        },
      ],
      rest: { rows: 0 },
    },
    shared: [
      { part: 'idle', before: 3, now: 2.7, difference: -0.3 },
      { part: 'overhead', before: 1, now: 1, difference: 0 },
    ],
  },
} as unknown as Statement

test('the causes of own cost and the shared parts add up to the difference; unchanged parts are left out', () => {
  const lines = changeLines(statement)
  expect(lines.map(({ word, usd, amount }) => [word, usd, amount])).toEqual([
    ['Replicas', 2, '+$2.00'],
    ['Price', -0.5, '−$0.50'],
    ['Unallocated capacity, shared', -0.3, '−$0.30'],
  ])
  expect(lines[0]?.text).toContain('replicas 8 → 10')
  expect(lines.reduce((sum, { usd }) => sum + usd, 0)).toBeCloseTo(statement.changes.difference)
})
