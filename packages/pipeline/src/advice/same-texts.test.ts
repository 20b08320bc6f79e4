import { changeActions, levelNames, recommendationCategories, severityNames } from '@plimsoll/contract'
import { RULES, SEVERITIES } from '@plimsoll/engine/rules'
import { CATEGORIES, CHANGE_ACTIONS, LEVELS } from '@plimsoll/engine/testing'
import { expect, test } from 'vitest'

test('the API and the rules use the same words in the same order', () => {
  expect(CATEGORIES).toEqual(recommendationCategories)
  expect(SEVERITIES).toEqual(severityNames)
  expect(LEVELS).toEqual(levelNames)
  expect(CHANGE_ACTIONS).toEqual(changeActions)
})

test('the category of every rule is a filter of the API', () => {
  for (const { category } of RULES) expect(recommendationCategories).toContain(category)
})
