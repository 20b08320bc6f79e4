import { expect, test } from 'vitest'
import { spreadLabels } from './line-labels.ts'

const room = { gap: 15, low: 10, high: 190 }

test('labels that have room stay beside their lines', () => {
  expect(spreadLabels([20, 100, 60], room)).toEqual([20, 100, 60])
})

test('labels of lines that lie close stand below each other, in the order of the lines', () => {
  expect(spreadLabels([100, 98, 104], room)).toEqual([113, 98, 128])
})

test('at the foot there is no room below, so they move up', () => {
  expect(spreadLabels([188, 189, 60], room)).toEqual([175, 190, 60])
})
