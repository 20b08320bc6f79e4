import fc from 'fast-check'
import { createElement, Fragment } from 'react'
import { describe, expect, test } from 'vitest'
import { attributesOf, countOf, markupOf, textOf } from '../../test/markup.ts'
import { BarParts, ClassFigures, Legend, lowerFirst, MiniBar, MoneyBar, sharesOf } from './money-bar.tsx'
import { amountOf, totalOf, wordsFor, type Classes } from './money-classes.ts'

const classes: Classes = { workload: 60, workload_idle: 30, cluster_idle: 10, unmeasured: 0 }
const withGap: Classes = { ...classes, unmeasured: 20 }
const nothing: Classes = { workload: 0, workload_idle: 0, cluster_idle: 0, unmeasured: 0 }

const flexOf = (markup: string) =>
  attributesOf(markup, 'style').flatMap((style) => /^flex:([\d.]+)/.exec(style)?.[1] ?? [])

describe('MoneyBar', () => {
  const render = (of: Classes, at?: number) =>
    markupOf(
      createElement(MoneyBar, {
        classes: of,
        shownOf: (key, index) => `$${amountOf(of, key)}, figure ${index}`,
        loadLine: at === undefined ? null : { at, word: 'After' },
      }),
    )

  test('draws each class as wide as its amount', () => {
    expect(flexOf(render(classes)).map(Number)).toEqual([60_000, 30_000, 10_000])
  })

  test('unmeasured cost is a separate part, and the widths still add up', () => {
    expect(flexOf(render(withGap)).map(Number)).toEqual([40_000, 20_000, 30_000, 10_000])
  })

  test('draws no part for an amount of zero', () => {
    expect(flexOf(render({ ...classes, cluster_idle: 0 }))).toHaveLength(2)
    expect(flexOf(render(nothing))).toEqual([])
  })

  test('gives all amounts to a screen reader, as shown in the figures', () => {
    const [label = ''] = attributesOf(render(classes), 'aria-label')
    for (const amount of ['Used $60, figure 0', 'unused $30, figure 1', 'Unallocated $10, figure 2'])
      expect(label).toContain(amount)
  })

  test.each([
    [50, '50%'],
    [0, '0%'],
    [100, '100%'],
    // A line outside of the bar would lie over other figures.
    [-5, '0%'],
    [250, '100%'],
  ])('draws the line for $%i at %s of the bar', (at, left) => {
    expect(attributesOf(render(classes, at), 'style')[0]).toBe(`left:${left}`)
  })

  test('has no line without a total', () => {
    expect(render(nothing, 5)).not.toContain('load-line')
    expect(render(classes)).not.toContain('load-line')
  })
})

describe('BarParts and MiniBar', () => {
  test('the widths of the parts add up to the total', () => {
    const usd = fc.integer({ min: 0, max: 1_000_000 }).map((cents) => cents / 100)
    fc.assert(
      fc.property(usd, usd, usd, fc.integer({ min: 0, max: 100 }), (used, idle, unallocated, gap) => {
        const of = { workload: used, workload_idle: idle, cluster_idle: unallocated, unmeasured: (used * gap) / 100 }
        const widths = flexOf(markupOf(createElement(Fragment, null, createElement(BarParts, { classes: of }))))
        const sum = widths.reduce((total, each) => total + Number(each), 0)
        expect(sum / 1000).toBeCloseTo(totalOf(of), 5)
      }),
    )
  })

  test.each([
    [200, 'width:50%'],
    [100, 'width:100%'],
    [0, 'width:0%'],
  ])('beside a maximum of $%i the bar has %s', (max, style) => {
    const markup = markupOf(createElement(MiniBar, { classes, max }))
    expect(attributesOf(markup, 'style')[0]).toBe(style)
    expect(markup).toContain('aria-hidden="true"')
  })
})

describe('ClassFigures and Legend', () => {
  test('show the classes in the order of the bar, each with its share', () => {
    const markup = markupOf(
      createElement(ClassFigures, { classes: withGap, children: (key, index) => `${index}:${key}` }),
    )
    const text = textOf(markup)
    for (const key of ['0:used', '1:unmeasured', '2:workload_idle', '3:cluster_idle']) expect(text).toContain(key)
    for (const share of sharesOf(withGap)) expect(text).toContain(share)
  })

  test('reserve space for the digits of a small class', () => {
    const markup = markupOf(createElement(ClassFigures, { classes: nothing, children: (key) => key }))
    expect(markup).toContain('--classes:minmax(72px, 1fr) minmax(72px, 1fr) minmax(72px, 1fr)')
  })

  test('the legend names every class of any bar', () => {
    expect(countOf(markupOf(createElement(Legend, { of: [classes, classes] })), 'li')).toBe(3)
    expect(countOf(markupOf(createElement(Legend, { of: [classes, withGap] })), 'li')).toBe(4)
    expect(wordsFor(classes, withGap)).toHaveLength(4)
  })

  test.each([
    ['Used', 'used'],
    ['GPU hours', 'GPU hours'],
    ['', ''],
    ['A node', 'a node'],
  ])('in a sentence %j reads %j', (word, expected) => expect(lowerFirst(word)).toBe(expected))
})
