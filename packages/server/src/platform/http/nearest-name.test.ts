import { expect, test } from 'vitest'
import { nearestName } from './nearest-name.ts'

test.each([
  ['ids', ['recommendation_ids', 'format', 'helm'], 'recommendation_ids'],
  ['recommendation_ids', ['action', 'ids', 'reason'], 'ids'],
  ['regoin', ['name', 'provider', 'region'], 'region'],
  ['fromat', ['recommendation_ids', 'format'], 'format'],
  ['colour', ['name', 'provider', 'region'], undefined],
  ['id', ['cluster_id', 'node_id'], undefined],
  ['x', ['y'], undefined],
  ['a'.repeat(10_000), ['name'], undefined],
])('for %j of %j, the suggestion is %j', (name, known, meant) => {
  expect(nearestName(name, known)).toBe(meant)
})
