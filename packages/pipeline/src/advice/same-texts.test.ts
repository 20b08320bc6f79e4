import { changeActions, levelNames, recommendationCategories, severityNames } from '@plimsoll/contract'
import { RULES, SEVERITIES } from '@plimsoll/engine/rules'
import { CATEGORIES, CHANGE_ACTIONS, LEVELS } from '@plimsoll/engine/testing'
import { expect, test } from 'vitest'

test('what crosses the wire and what the rules say are the same words, in the same order', () => {
  expect(CATEGORIES).toEqual(recommendationCategories)
  expect(SEVERITIES).toEqual(severityNames)
  expect(LEVELS).toEqual(levelNames)
  expect(CHANGE_ACTIONS).toEqual(changeActions)
})

test('every rule is of a category that can be asked for', () => {
  for (const { category } of RULES) expect(recommendationCategories).toContain(category)
})
