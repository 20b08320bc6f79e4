import type { Evidence } from '@plimsoll/contract'
import { createElement } from 'react'
import { expect, test } from 'vitest'
import { attributesOf, countOf, markupOf, textOf } from '../../../test/markup.ts'
import { Backtest } from './backtest.tsx'

type Result = Evidence['backtest']['results'][number]

const aResult = (changed: Partial<Result>): Result =>
  ({
    ...{ who: 'current', cpu_millicores: 1000, memory_bytes: 1024 ** 3, savings: 0, minutes_short: 0 },
    ...{ volume_short: 0, oom_days: 0, risk: 'low' },
    ...changed,
  }) as Result

const backtestOf = (results: Result[], window: { hours: number } | null = { hours: 336 }) =>
  markupOf(createElement(Backtest, { evidence: { backtest: { results }, window } as unknown as Evidence, savings: 30 }))

test('without results there is no section', () => {
  expect(backtestOf([])).toBe('')
})

test('each value has a row, and the window is named', () => {
  const markup = backtestOf([
    aResult({}),
    aResult({ who: 'proposed', cpu_millicores: 250 }),
    aResult({ who: 'vpa' }),
    aResult({ who: 'krr' }),
  ])
  const text = textOf(markup)
  for (const name of ['Current', 'Proposed', 'VPA', 'KRR']) expect(text).toContain(`|${name}|`)
  expect(text).toContain('14 days')
  expect(text).toContain('|250m|')
  expect(countOf(markup, 'tr')).toBe(5)
})

test('a value that a tool does not set is a dash', () => {
  const text = textOf(backtestOf([aResult({ who: 'krr', cpu_millicores: null, memory_bytes: null })]))
  expect(text).toContain('|KRR|–|–|')
})

test('minutes share one scale, and 0 minutes have no bar', () => {
  const markup = backtestOf([
    aResult({ minutes_short: 0 }),
    aResult({ who: 'proposed', minutes_short: 50 }),
    aResult({ who: 'vpa', minutes_short: 200 }),
  ])
  expect(attributesOf(markup, 'style').filter((style) => style.startsWith('width:'))).toEqual([
    'width:25%',
    'width:100%',
  ])
})

test('days with an OOM risk are highlighted, zero days are not', () => {
  expect(backtestOf([aResult({})])).not.toContain('tone-warn')
  expect(backtestOf([aResult({ oom_days: 2 })])).not.toBe(backtestOf([aResult({})]))
})
