import { expect, test } from 'vitest'
import { demandFewSeries } from './answer-metrics.ts'
import { countSeries, metricText, type Family } from './metric-text.ts'

const family = (series: Family['series']): Family => ({ name: 'plimsoll_x', help: 'X', series })

test('a gauge has one line for each series, and an empty label is left out', () => {
  const series = [
    { labels: { cluster: 'a', class: '' }, value: 0.5 },
    { labels: {}, value: 1e-9 },
  ]
  expect(metricText([family(series), family([])])).toBe(
    '# HELP plimsoll_x X\n# TYPE plimsoll_x gauge\nplimsoll_x{cluster="a"} 0.5\nplimsoll_x 1e-9\n',
  )
})

test('names from a cluster cannot end a label or a line', () => {
  const name = 'a"} 1\nplimsoll_y{b="\\'
  const [, , line, ...rest] = metricText([family([{ labels: { name }, value: 1 }])]).split('\n')
  expect(line).toBe('plimsoll_x{name="a\\"} 1\\nplimsoll_y{b=\\"\\\\"} 1')
  expect(rest).toEqual([''])
})

test('too many series are refused with their number', () => {
  const families = [family(Array.from({ length: 3 }, () => ({ labels: {}, value: 1 })))]
  expect(countSeries(families)).toBe(3)
  expect(() => demandFewSeries(families, 3)).not.toThrow()
  expect(() => demandFewSeries(families, 2)).toThrow('The response has 3 series; 2 are allowed.')
})
