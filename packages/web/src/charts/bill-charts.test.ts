import type { Overview } from '@plimsoll/contract'
import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import { attributesOf, countOf, markupOf, textOf } from '../../test/markup.ts'
import { BillBridge, type BridgeWords } from './bill-bridge.tsx'
import { RequestLines } from './request-lines.tsx'
import { Staircase, type TreadWords } from './staircase.tsx'
import { TrendChart } from './trend-chart.tsx'

const wordsIn = (markup: string) => textOf(markup).split('|').filter(Boolean)

describe('BillBridge', () => {
  const aWord = (name: string, amount: string, isStep = false): BridgeWords => ({
    name,
    below: 'below',
    amount,
    isStep,
  })
  const words = [
    aWord('1 Nov', '$1,000'),
    aWord('Step 1', '−$200', true),
    aWord('Prices', '+$50'),
    aWord('Today', '$850'),
  ]
  const render = (unit?: string) =>
    markupOf(
      createElement(BillBridge, { before: 1000, changes: [-200, 50], words, label: 'Bill', ...(unit ? { unit } : {}) }),
    )

  test('draws both bills and each change, with its name and amount', () => {
    expect(countOf(render(), 'rect')).toBe(4)
    expect(wordsIn(render())).toEqual(expect.arrayContaining(words.flatMap(({ name, amount }) => [name, amount])))
  })

  test('many narrow bars keep their names, tilted and shortened', () => {
    const many = Array.from({ length: 20 }, (_, index) => aWord(`A cause with a long name ${index}`, '+$1'))
    const changes = many.slice(2).map(() => 1)
    const markup = markupOf(createElement(BillBridge, { before: 1000, changes, words: many, label: 'Bill' }))
    expect(wordsIn(markup).filter((text) => /^A cause[^…]*…$/.test(text))).toHaveLength(20)
    expect(attributesOf(markup, 'transform').every((text) => text.endsWith('rotate(-40)'))).toBe(true)
  })

  test('plan steps have the accent color, other causes and bills have not', () => {
    expect(attributesOf(render(), 'fill')).toEqual([
      'var(--ink-2)',
      'var(--accent-fill)',
      'var(--unallocated)',
      'var(--ink-2)',
    ])
  })

  test('the title of the axis has the unit and where the axis starts', () => {
    expect(wordsIn(render())).toContain('$/month. Axis starts at $700')
    expect(wordsIn(render('$'))).toContain('$. Axis starts at $700')
  })
})

describe('Staircase', () => {
  const aTread = (bill: string, more: Partial<TreadWords> = {}): TreadWords => ({
    ...{ name: 'Step', below: '1 node', change: '−$100', bill, isCost: false },
    ...more,
  })
  const render = (bills: number[], words: TreadWords[]) =>
    markupOf(createElement(Staircase, { runRate: 1000, bills, words, label: 'Plan' }))

  test('draws the bill after each step and names the last one', () => {
    const markup = render([900, 800], [aTread('$1,000'), aTread('$900'), aTread('$800')])
    expect(wordsIn(markup)).toEqual(expect.arrayContaining(['$1,000', '$900', 'after all steps $800']))
    expect(attributesOf(markup, 'aria-label')).toEqual(['Plan. Read with the arrow keys', 'Plan'])
  })

  test('a step that costs is red, and a step without an effect has no amount', () => {
    const words = [
      aTread('$1,000'),
      aTread('$1,050', { isCost: true, change: '+$50' }),
      aTread('$1,050', { isFree: true }),
    ]
    const markup = render([1050, 1050], words)
    expect(markup).toContain('stroke="var(--danger)"')
    expect(wordsIn(markup).filter((each) => each === '−$100')).toEqual([])
  })

  test('many steps are numbered instead of named', () => {
    const bills = Array.from({ length: 30 }, (_each, at) => 990 - at)
    const shown = wordsIn(render(bills, [aTread('$1,000'), ...bills.map((each) => aTread(`$${each}`))]))
    expect(shown).toContain('now')
    expect(shown).not.toContain('Step')
  })
})

describe('TrendChart', () => {
  const days = (totals: (number | null)[], joined: Record<number, string[]> = {}) =>
    totals.map((total, at) => ({
      from: new Date(Date.UTC(2026, 10, 1 + at)).toISOString(),
      hours: 24,
      total,
      joined: joined[at] ?? [],
    }))
  const render = (trend: Overview['trend']) => {
    const overview = { trend, as_of: null, week: null, not_compared: [] } as unknown as Overview
    return markupOf(createElement(TrendChart, { overview, nameOf: (id: string) => `cluster ${id}` }))
  }

  test('one day of data is not a trend', () => {
    expect(textOf(render(days([null, 100, null])))).toContain('needs at least two days of data')
  })

  test('the label has the first and the last run rate, and the table has every day', () => {
    const markup = render(days([1000, 1100, null]))
    expect(attributesOf(markup, 'aria-label')).toContain('Run rate by day: first $1,000, last $1,100')
    expect(wordsIn(markup)).toEqual(
      expect.arrayContaining(['1 Nov', '$1,000', '2 Nov', '$1,100', '3 Nov', 'incomplete']),
    )
  })

  test('a gap before the last day has no data', () => {
    expect(wordsIn(render(days([1000, null, 1100])))).toContain('no data')
  })

  test('a new cluster is named where it joins', () => {
    expect(wordsIn(render(days([1000, 2000, 2000], { 1: ['b'] })))).toContain('cluster b: first data')
  })

  test('no two ticks have the same label', () => {
    const labels = wordsIn(render(days([1000, 1010]))).slice(0, 5)
    expect(labels).toEqual(['$950', '$975', '$1,000', '$1,025', '$1,050'])
  })

  test('the axis shows where it starts unless it starts at $0', () => {
    expect(textOf(render(days([1000, 1010])))).toContain('Axis starts at $950')
    expect(textOf(render(days([1, 1000])))).not.toContain('Axis starts')
  })
})

describe('RequestLines', () => {
  type Props = Parameters<typeof RequestLines>[0]
  const render = (more: Partial<Props>) =>
    markupOf(
      createElement(
        'svg',
        null,
        createElement(RequestLines, {
          ...{ current: null, proposed: null, rivals: [], y: (value: number) => 200 - value, from: 0, to: 100 },
          ...{ bounds: { low: 10, high: 190 }, format: (value: number) => `${value}m` },
          ...more,
        }),
      ),
    )

  test('draws the current and the proposed request with their values', () => {
    expect(wordsIn(render({ current: 100, proposed: 60 }))).toEqual(['100m', ' request', '60m', ' '])
  })

  test('an unchanged request has one line that stays', () => {
    expect(wordsIn(render({ current: 100, proposed: 100 }))).toEqual(['100m', ' stays'])
  })

  test('a limit equal to the proposal shares its line', () => {
    const limits = [{ value: 60, word: 'limit', isProposed: false }]
    expect(wordsIn(render({ current: 100, proposed: 60, limits }))).toEqual(['100m', ' request', '60m', ' = limit'])
  })

  test('labels of close lines do not overlap', () => {
    const markup = render({ current: 100, proposed: 99, rivals: [{ name: 'VPA', value: 98 }] })
    const labels = [...markup.matchAll(/<text [^>]*y="([\d.]+)"/g)].map(([, y]) => Number(y)).sort((a, b) => a - b)
    expect(labels).toHaveLength(3)
    labels.slice(1).forEach((y, at) => expect(y - (labels[at] ?? 0)).toBeGreaterThanOrEqual(15))
  })
})
