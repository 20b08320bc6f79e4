import { expect, test } from 'vitest'
import { TooManyRows } from '../too-many-rows.ts'
import { groupKey, GroupLines } from './group-lines.ts'

const cost = { before: 1n, now: 3n, effects: new Map([['compute new ', 2n]]), unpriced: false, facts: null }

test('costs of one group are one line', () => {
  const lines = new GroupLines()
  lines.add(groupKey(['shop']), cost)
  lines.add(groupKey(['shop']), { ...cost, unpriced: true })
  expect(lines.all()).toMatchObject([{ names: ['shop'], before: 2n, now: 6n, unpriced: true }])
  expect(lines.all()[0]?.effects).toEqual(new Map([['compute new ', 4n]]))
})

test('more groups than the memory of the thread allows are refused', () => {
  const lines = new GroupLines(1)
  lines.add(groupKey(['shop']), cost)
  expect(() => lines.add(groupKey(['data']), cost)).toThrow(TooManyRows)
})
