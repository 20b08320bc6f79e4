import { expect, test } from 'vitest'
import { spreadLabels } from './line-labels.ts'

const bounds = { gap: 15, low: 10, high: 190 }

test('labels with enough space stay beside their lines', () => {
  expect(spreadLabels([20, 100, 60], bounds)).toEqual([20, 100, 60])
})

test('labels of close lines are stacked in the order of the lines', () => {
  expect(spreadLabels([100, 98, 104], bounds)).toEqual([113, 98, 128])
})

test('labels at the bottom move up', () => {
  expect(spreadLabels([188, 189, 60], bounds)).toEqual([175, 190, 60])
})
