import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyUsage } from './empty-columns.ts'
import { atMost, BadRow, choice, count, run, runStarts, startUp, throttling, usageFigures } from './read-columns.ts'

test.each([-1, 0.5, NaN, Infinity, '1', null, undefined])('%s is not a count', (value) => {
  expect(() => count([value as number], 0)).toThrow(BadRow)
})

test('a value above its maximum is rejected, the maximum is not', () => {
  expect(atMost(5, [5], 0)).toBe(5)
  expect(() => atMost(5, [6], 0)).toThrow(BadRow)
})

test('a choice is read by its index', () => {
  expect(choice(['pending', 'running'], [1], 0)).toBe('running')
  expect(() => choice(['pending'], [1], 0)).toThrow(BadRow)
})

test('throttled periods do not exceed periods', () => {
  const columns = (periods: number, throttled: number) => ({ cpu_periods: [periods], throttled_periods: [throttled] })
  expect(throttling(columns(600, 12), 0, 1000)).toEqual({ throttling: { periods: 600, throttledPeriods: 12 } })
  expect(throttling(columns(0, 0), 0, 1000)).toEqual({})
  expect(throttling({}, 0, 1000)).toEqual({})
  expect(() => throttling(columns(600, 601), 0, 1000)).toThrow(BadRow)
  expect(() => throttling(columns(1001, 0), 0, 1000)).toThrow(BadRow)
})

test('law: the runs of all rows form the column, in order', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat())), (rows) => {
      const starts = runStarts(rows.map(({ length }) => length))
      const column = rows.flat()
      expect(rows.map((_row, index) => run(column, starts, index))).toEqual(rows)
    }),
  )
})

test('a run with an entry that is not a number is rejected', () => {
  expect(() => run([1, -1], runStarts([2]), 0)).toThrow(BadRow)
})

const usage = (changed: Partial<ReturnType<typeof emptyUsage>>) => ({ ...emptyUsage(), ...changed })

test('a start without minutes is not reported', () => {
  expect(startUp(usage({ startup_minutes: [0] }), 0)).toEqual({})
})

test('the mean of a start does not exceed its maximum', () => {
  const start = (mean: number) =>
    usage({ startup_minutes: [3], startup_cpu_mean: [mean], startup_cpu_max: [20], startup_memory_max: [30] })
  expect(startUp(start(20), 0)).toEqual({ startUp: { minutes: 3, cpuMean: 20, cpuMax: 20, memoryMax: 30 } })
  expect(() => startUp(start(21), 0)).toThrow(BadRow)
})

type Histogram = { mean?: number; hottest?: number; buckets?: number[]; podMinutes?: number[] }

const figures = ({ mean = 10, hottest = 20, buckets = [1, 4], podMinutes = [30, 30] }: Histogram) =>
  usageFigures(
    usage({
      cpu_mean: [mean],
      cpu_max: [30],
      cpu_hottest: [hottest],
      cpu_bucket: buckets,
      cpu_pod_minutes: podMinutes,
    }),
    'cpu',
    runStarts([buckets.length]),
    0,
  )

test('figures and histogram of an hour are read together', () => {
  expect(figures({})).toEqual({ mean: 10, max: 30, hottest: 20, buckets: [1, 4], podMinutes: [30, 30] })
})

test.each<[string, Histogram]>([
  ['a mean above the busiest pod', { mean: 21 }],
  ['a busiest pod above the maximum', { hottest: 31 }],
  ['a bucket twice', { buckets: [4, 4] }],
  ['buckets out of order', { buckets: [4, 1] }],
  ['a bucket that does not exist', { buckets: [1, 1_000_000] }],
  ['an empty bucket', { podMinutes: [30, 0] }],
  ['more minutes than an hour can have', { podMinutes: [30, Number.MAX_SAFE_INTEGER] }],
])('%s is rejected', (_name, histogram) => {
  expect(() => figures(histogram)).toThrow(BadRow)
})
