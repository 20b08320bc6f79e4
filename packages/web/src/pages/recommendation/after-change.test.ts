import type { Recommendation } from '@plimsoll/contract'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { markupOf, textOf } from '../../../test/markup.ts'
import { AfterChange } from './after-change.tsx'

const textWith = (changed: object) => {
  const recommendation = { change: { action: 'set_requests' }, verification_detail: null, ...changed }
  const props = { recommendation: recommendation as unknown as Recommendation }
  return textOf(markupOf(createElement(AfterChange, props)))
}

const watch = {
  until: '2026-11-17T04:00:00Z',
  before: { hours: 168, oom_kills: 0, restarts: 1, throttled: null },
  since: { hours: 20, oom_kills: 3, restarts: 3, throttled: 0.04 },
  regressions: ['oom_kills'],
}

test('before a change the page says what will be compared', () => {
  expect(textWith({})).toContain('compares restarts, OOM kills and throttling for 7 days')
})

test('after a change both sides are shown, and what rose is marked', () => {
  const text = textWith({ verification_detail: { watch } })
  expect(text).toContain('|Before (7 days)|')
  expect(text).toContain('|OOM kills|0|')
  expect(text).toContain('|CPU throttled|not reported|4.00 %|')
  expect(text).toContain('The next analysis proposes the old requests.')
  expect(text).toContain('Readiness and latency are not measured.')
})

test('a change that is not about requests has no such section', () => {
  expect(textWith({ change: { action: 'delete' } })).toBe('')
})
