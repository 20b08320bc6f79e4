import { expect, test } from 'vitest'
import { axisTicks } from './savings-chart.tsx'

const at = (promised: number, observed: number) => ({ day: '2026-11-01', promised, observed })

test('the axis begins at $0, and below it only if the changes cost more than they save', () => {
  expect(axisTicks([at(0, 0), at(100, 90)])).toEqual([0, 50, 100])
  expect(axisTicks([at(0, 0), at(90, -38)])).toEqual([-50, 0, 50, 100])
  expect(axisTicks([at(0, 0), at(-40, -38)])).toEqual([-40, -20, 0])
  expect(axisTicks([at(0, 0), at(0, 0)])).toEqual([0, 0.5, 1])
})
