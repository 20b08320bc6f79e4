import type { Overview } from '@plimsoll/contract'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { markupOf, textOf } from '../../../test/markup.ts'
import { RunRate } from './run-rate.tsx'

const rate = { total: 100, compute: 70, storage: 20, load_balancer: 10, overhead: 0, unpriced_parts: [] as string[] }
const cluster = { id: 'cls_1', name: 'prod', monthly_cost: 100, hours: 48 }

type Changes = { run_rate?: Partial<typeof rate>; week?: { now: number; before: number } | null }

const runRateOf = ({ run_rate: changed = {}, week = null }: Changes = {}) =>
  textOf(
    markupOf(
      createElement(RunRate, {
        overview: {
          run_rate: { ...rate, ...changed },
          week,
          not_compared: [],
          clusters: [cluster],
        } as unknown as Overview,
      }),
    ),
  )

test('the parts are listed with their amounts, and network traffic as not measured', () => {
  const text = runRateOf()
  for (const part of ['Compute', 'Storage', 'Load balancers', 'Control planes']) expect(text).toContain(part)
  expect(text).toContain('$70')
  expect(text).toContain('not measured')
})

test('the change since last week is an amount and a share', () => {
  expect(runRateOf({ week: { now: 110, before: 100 } })).toMatch(/\+\$10\|? \(\+10\.0 %\) vs\. last week/)
  expect(runRateOf({ week: { now: 100, before: 100 } })).toContain('unchanged from last week')
})

test('without a week of data there is no comparison', () => {
  expect(runRateOf()).not.toContain('last week')
})
