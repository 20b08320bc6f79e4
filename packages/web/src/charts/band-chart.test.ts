import { createElement } from 'react'
import { expect, test } from 'vitest'
import { attributesOf, countOf, markupOf, textOf } from '../../test/markup.ts'
import { BandChart, scaleFor, type ChartLimits } from './band-chart.tsx'

const band = (...max: (number | null)[]) => ({ max, p90: max, p50: max })

const chartOf = (limits?: ChartLimits) =>
  markupOf(
    createElement(BandChart, {
      ...{
        band: band(3, 5, 3),
        from: '2026-11-03T00:00:00Z',
        format: (value: number) => `${value} GiB`,
        current: 2,
        proposed: 6,
      },
      ...{ label: 'Memory per pod', axis: 'memory' },
      ...(limits ? { limits } : {}),
    }),
  )

test('usage at a limit: the limits, the kills, and the unknown demand above them', () => {
  const markup = chartOf({ current: 5, proposed: 7, isDemandUnknown: true, oomKills: [0, 2, 1] })
  const text = textOf(markup)
  expect(text).toContain('Demand above the limit is unknown')
  expect(text).toContain('|5 GiB| limit')
  expect(text).toContain('|7 GiB| new limit')
  expect(markup).toContain('<title>2 OOM kills</title>')
  expect(markup).toContain('<title>1 OOM kill</title>')
  expect(attributesOf(markup, 'aria-label').join(' ')).toContain('demand above the limit is unknown, 3 OOM kills')
})

test('a limit equal to the proposal shares its label', () => {
  const text = textOf(chartOf({ current: 5, proposed: 6, isDemandUnknown: false }))
  expect(text).toContain('|6 GiB| = new limit')
  expect(text).not.toContain('|6 GiB| new limit')
})

test('a chart without limits has neither', () => {
  const markup = chartOf()
  expect(textOf(markup)).not.toContain('limit')
  expect(countOf(markup, 'pattern')).toBe(0)
})

test('usage below a tenth of the request gets a log scale, because a linear scale would hide it', () => {
  expect(scaleFor(band(15, null, 12), [1000])).toBe('log')
  expect(scaleFor(band(15, null, 300), [1000])).toBe('linear')
  expect(scaleFor(band(15), [null])).toBe('linear')
})
