import { expect, test } from 'vitest'
import { billWindows } from './bill-windows.ts'

const now = new Date('2026-11-18T04:20:00Z')

test('compares the day 30 days ago with the last 24 complete hours', () => {
  expect(billWindows({}, now)).toEqual({
    compare_from: '2026-10-19T00:00:00.000Z',
    compare_to: '2026-10-20T00:00:00.000Z',
    from: '2026-11-17T04:00:00.000Z',
    to: '2026-11-18T04:00:00.000Z',
  })
})

test('compares two chosen days in full', () => {
  expect(billWindows({ from: '2026-11-01', to: '2026-11-03' }, now)).toEqual({
    compare_from: '2026-11-01T00:00:00.000Z',
    compare_to: '2026-11-02T00:00:00.000Z',
    from: '2026-11-03T00:00:00.000Z',
    to: '2026-11-04T00:00:00.000Z',
  })
})
