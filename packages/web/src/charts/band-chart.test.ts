import { expect, test } from 'vitest'
import { scaleFor } from './band-chart.tsx'

const band = (...max: (number | null)[]) => ({ max, p90: max, p50: max })

test('usage below a tenth of the request gets a log scale, because a linear scale would hide it', () => {
  expect(scaleFor(band(15, null, 12), [1000])).toBe('log')
  expect(scaleFor(band(15, null, 300), [1000])).toBe('linear')
  expect(scaleFor(band(15), [null])).toBe('linear')
})
