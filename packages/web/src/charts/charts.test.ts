import fc from 'fast-check'
import { createElement } from 'react'
import { describe, expect, test } from 'vitest'
import { attributesOf, countOf, markupOf, textOf } from '../../test/markup.ts'
import { SavingsChart } from './savings-chart.tsx'
import { Scatter, type Dot } from './scatter.tsx'
import { StackedArea, type Layer } from './stacked-area.tsx'
import { Treemap, type Tile } from './treemap.tsx'

const numbersIn = (markup: string, name: string) => attributesOf(markup, name).map(Number)
const isFinite = (markup: string) => !/NaN|Infinity|undefined/.test(markup)

describe('Treemap', () => {
  const aTile = (name: string, value: number, more: Partial<Tile> = {}): Tile => ({
    ...{ key: name, name, value, amount: `$${value}`, colour: 'red', ink: 'white' },
    ...more,
  })
  const render = (tiles: Tile[], onPick?: (key: string) => void) =>
    markupOf(createElement(Treemap, { tiles, label: 'Costs', onPick }))
  const titlesOf = (markup: string) => [...markup.matchAll(/<title>([^<]*)<\/title>/g)].map(([, title]) => title)

  test('draws the largest tile first and names each with its amount', () => {
    const markup = render([aTile('small', 1), aTile('large', 10)])
    expect(titlesOf(markup)).toEqual(['large, $10', 'small, $1'])
  })

  test('the areas are in proportion to the amounts', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 12 }), (values) => {
        const markup = render(values.map((value, index) => aTile(`t${index}`, value, { colour: 'blue' })))
        expect(isFinite(markup)).toBe(true)
        expect(titlesOf(markup)).toHaveLength(values.length)
        const [widths, heights] = [numbersIn(markup, 'width'), numbersIn(markup, 'height')]
        for (const size of [...widths, ...heights]) expect(size).toBeGreaterThanOrEqual(0)
      }),
    )
  })

  test('cuts a name that does not fit, and hides an amount without a name', () => {
    const long = 'a-workload-with-a-name-that-is-longer-than-its-tile-can-ever-hold'
    const text = textOf(render([aTile(long, 1)]))
    expect(text).not.toContain(long)
    expect(text).toContain('…')
    const crowd = Array.from({ length: 60 }, (_each, index) => aTile(`tile-${index}`, 1))
    const words = textOf(render([aTile('first', 100_000), ...crowd])).split('|')
    expect(words.filter((each) => each === '$1.00').length).toBe(0)
  })

  test('only tiles of an owner can be opened', () => {
    const tiles = [aTile('shop', 3), aTile('__other__', 2), aTile('idle', 1, { isHatched: true })]
    const open = (markup: string) => attributesOf(markup, 'class').filter((each) => each === 'cursor-pointer').length
    expect(open(render(tiles, () => undefined))).toBe(1)
    expect(open(render(tiles))).toBe(0)
  })

  test('cost without an owner is hatched', () => {
    expect(render([aTile('idle', 1, { isHatched: true })])).toContain('fill="url(#unallocated)"')
  })

  test('the arrow keys read the tiles', () => {
    expect(attributesOf(render([aTile('shop', 3)]), 'role')).toContain('slider')
  })

  test('draws nothing for no tiles', () => {
    expect(titlesOf(render([]))).toEqual([])
  })
})

describe('StackedArea', () => {
  const starts = Array.from({ length: 6 }, (_each, index) => `2026-03-0${index + 1}T00:00:00Z`)
  const aLayer = (name: string, values: Layer['values'], more: Partial<Layer> = {}): Layer => ({
    ...{ name, colour: 'red', values },
    ...more,
  })
  const render = (layers: Layer[], step: 'hour' | 'day' = 'day') =>
    markupOf(createElement(StackedArea, { layers, starts, step, label: 'Cost by namespace' }))

  test('draws one area for each layer and names each', () => {
    const markup = render([aLayer('shop', [1, 2, 3, 4, 5, 6]), aLayer('data', [6, 5, 4, 3, 2, 1])])
    expect(countOf(markup, 'path')).toBeGreaterThanOrEqual(2)
    expect(textOf(markup)).toMatch(/\|shop\|data\|$/)
    expect(attributesOf(markup, 'aria-label')).toContain('Cost by namespace')
  })

  test('an hour without data is a gap and not a cost of zero', () => {
    const gap = [1, 2, null, null, 5, 6]
    const markup = render([aLayer('shop', gap), aLayer('data', gap)])
    expect(markup).toContain('<title>No data</title>')
    expect(render([aLayer('shop', [1, 2, 0, 0, 5, 6])])).not.toContain('No data')
  })

  test('the title of an area shows the last known cost', () => {
    expect(render([aLayer('shop', [1, 2, 3, 4, 7, null])])).toContain('<title>shop, $7.00')
  })

  test('labels hours by the clock and days by the date', () => {
    expect(textOf(render([aLayer('shop', [1, 1, 1, 1, 1, 1])], 'hour'))).toContain('|00:00|')
    expect(textOf(render([aLayer('shop', [1, 1, 1, 1, 1, 1])], 'day'))).toContain('|1 Mar|')
  })

  test('names that do not fit beside the chart are in a legend below it', () => {
    const beside = render([aLayer('shop', [1, 1, 1, 1, 1, 1]), aLayer('data', [1, 1, 1, 1, 1, 1])])
    expect(countOf(beside, 'li')).toBe(0)
    const long = render([aLayer('n'.repeat(60), [1, 1, 1, 1, 1, 1])])
    expect(countOf(long, 'li')).toBe(1)
    expect(textOf(long)).toContain('n'.repeat(60))
    const thin = Array.from({ length: 9 }, (_each, index) => aLayer(`thin-${index}`, [1, 1, 1, 1, 1, 1]))
    expect(countOf(render([aLayer('shop', [900, 900, 900, 900, 900, 900]), ...thin]), 'li')).toBe(10)
  })

  test('draws only finite numbers, whatever the costs are', () => {
    const usd = fc.option(fc.double({ min: 0, max: 1e7, noNaN: true }), { nil: null })
    const values = fc.array(usd, { minLength: 6, maxLength: 6 })
    fc.assert(
      fc.property(fc.array(values, { maxLength: 5 }), (all) => {
        expect(isFinite(render(all.map((each, index) => aLayer(`layer ${index}`, each))))).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
})

describe('SavingsChart', () => {
  const aPoint = (day: number, promised: number, observed: number) => ({
    ...{ day: `2026-03-${String(day).padStart(2, '0')}T00:00:00Z`, promised, observed },
  })
  const render = (points: ReturnType<typeof aPoint>[]) =>
    markupOf(createElement(SavingsChart, { points, since: '1 March 2026' }))

  test('gives the final totals to a screen reader', () => {
    const [label = ''] = attributesOf(render([aPoint(1, 10, 0), aPoint(9, 40, 25)]), 'aria-label')
    expect(label).toContain('$40')
    expect(label).toContain('$25')
    expect(label).toContain('1 March 2026')
  })

  test('draws observed savings over estimated savings', () => {
    const markup = render([aPoint(1, 10, 5), aPoint(5, 20, 15), aPoint(9, 40, 25)])
    expect(countOf(markup, 'path')).toBe(3)
    expect(attributesOf(markup, 'stroke-dasharray')).toEqual(['5 4'])
    expect(isFinite(markup)).toBe(true)
  })

  test('names the first day and no more than five days', () => {
    const points = Array.from({ length: 28 }, (_each, index) => aPoint(index + 1, index, index))
    const days = textOf(render(points)).match(/\b\d{1,2} Mar/g) ?? []
    expect(days[0]).toBe('1 Mar')
    expect(days.length).toBeGreaterThan(1)
    expect(days.length).toBeLessThanOrEqual(5)
  })

  test('draws savings below zero', () => {
    const markup = render([aPoint(1, 5, 0), aPoint(9, 5, -20)])
    expect(isFinite(markup)).toBe(true)
    expect(textOf(markup)).toMatch(/[−-]\$/)
  })
})

describe('Scatter', () => {
  const aDot = (key: string, x: number, y: number, weight = 1): Dot => ({ key, name: key, x, y, weight })
  const render = (dots: Dot[]) =>
    markupOf(
      createElement(Scatter, {
        ...{ dots, format: String, xTitle: 'requested', yTitle: 'used', label: 'CPU', onPick: undefined },
      }),
    )

  test('the arrow keys read the dots', () => {
    expect(attributesOf(render([aDot('a', 10, 1)]), 'role')).toContain('slider')
  })

  test('draws one dot for each workload inside the axes', () => {
    const markup = render([aDot('a', 10, 1), aDot('b', 1000, 900), aDot('c', 100, 100)])
    expect(countOf(markup, 'circle')).toBe(3)
    expect(isFinite(markup)).toBe(true)
    const [width = 0] = numbersIn(markup, 'width')
    for (const cx of numbersIn(markup, 'cx')) {
      expect(cx).toBeGreaterThanOrEqual(0)
      expect(cx).toBeLessThanOrEqual(width)
    }
  })

  test('a larger request is further to the right', () => {
    const [small = 0, large = 0] = numbersIn(render([aDot('a', 10, 5), aDot('b', 1000, 5)]), 'cx')
    expect(small).toBeLessThan(large)
  })

  test('a higher usage is further up', () => {
    const [little = 0, much = 0] = numbersIn(render([aDot('a', 100, 5), aDot('b', 100, 90)]), 'cy')
    expect(much).toBeLessThan(little)
  })

  test('a heavier dot is larger', () => {
    const [light = 0, heavy = 0] = numbersIn(render([aDot('a', 100, 5, 1), aDot('b', 100, 90, 50)]), 'r')
    expect(light).toBeLessThan(heavy)
  })

  test('draws axes without dots', () => {
    expect(isFinite(render([]))).toBe(true)
  })
})
