import type { Evidence } from '@plimsoll/contract'
import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import { attributesOf, countOf, markupOf, textOf } from '../../../test/markup.ts'
import { Backtest } from './backtest.tsx'

type Result = Evidence['backtest']['results'][number]

const aResult = (changed: Partial<Result>): Result =>
  ({
    ...{ who: 'current', cpu_millicores: 1000, memory_bytes: 1024 ** 3, savings: 0, minutes_short: 0 },
    ...{ volume_short: 0, oom_days: 0, risk: 'low' },
    ...changed,
  }) as Result

const risk = { level: 'low' as const, reasons: [] }

const backtestOf = (results: Result[], window: { hours: number } | null = { hours: 336 }) =>
  markupOf(
    createElement(Backtest, { evidence: { backtest: { results }, window } as unknown as Evidence, savings: 30, risk }),
  )

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

describe('usage that touched a limit', () => {
  const gib = 1024 ** 3
  const sizes = (memory: number) => ({ cpu_millicores: null, memory_bytes: memory })
  const demand: NonNullable<Evidence['demand']> = {
    limits: { current: sizes(2 * gib), proposed: sizes(2.6 * gib) },
    unknown_above_limit: { cpu: false, memory: true },
    oom_kills: 110,
    leak: { bytes_per_hour: 96 * 1024 ** 2, hours_to_kill: 12.3, hours_to_kill_proposed: 18.7 },
  }
  const textWith = (given: typeof demand, result: Partial<Result> = {}) => {
    const backtest = { results: [aResult({ who: 'proposed', ...result })] }
    const evidence = { backtest, window: null, demand: given } as unknown as Evidence
    return textOf(markupOf(createElement(Backtest, { evidence, savings: 0, risk })))
  }

  test('proves no value safe: Days short of memory are unknown, not 0', () => {
    const text = textWith({ ...demand, leak: null })
    expect(text).toContain('|unknown|')
    expect(text).toContain('Demand above the limit is unknown: memory above 2 GiB was never measured.')
    expect(text).not.toContain('leak')
  })

  test('names a leak with the time to the next kill at both limits', () => {
    expect(textWith(demand)).toContain(
      'Memory leak: memory grows by about 96 MiB per hour. Next OOM kill after about 12.3 h with the current limit, 18.7 h with the proposed limit, if memory grows as measured.',
    )
  })

  test('makes the minutes short of CPU a lower bound', () => {
    const limits = { current: { cpu_millicores: 500, memory_bytes: null }, proposed: sizes(0) }
    const throttled = { ...demand, limits, leak: null, unknown_above_limit: { cpu: true, memory: false } }
    expect(textWith(throttled, { minutes_short: 12 })).toContain('|unknown (at least 12)|')
  })
})
