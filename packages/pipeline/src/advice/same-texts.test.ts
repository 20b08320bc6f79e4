import {
  changeActions,
  levelNames,
  manifestFormats,
  recommendationCategories,
  severityNames,
  type ManifestFormatName,
} from '@plimsoll/contract'
import { MANIFEST_FORMATS, type ManifestFormat } from '@plimsoll/engine/manifests'
import { RULES, SEVERITIES } from '@plimsoll/engine/rules'
import { CATEGORIES, CHANGE_ACTIONS, LEVELS } from '@plimsoll/engine/testing'
import { expect, expectTypeOf, test } from 'vitest'

test('the API and the rules use the same words in the same order', () => {
  expect(CATEGORIES).toEqual(recommendationCategories)
  expect(SEVERITIES).toEqual(severityNames)
  expect(LEVELS).toEqual(levelNames)
  expect(CHANGE_ACTIONS).toEqual(changeActions)
})

test('the category of every rule is a filter of the API', () => {
  for (const { category } of RULES) expect(recommendationCategories).toContain(category)
})

test('the API offers exactly the manifest formats of the engine', () => {
  expect(manifestFormats).toEqual(MANIFEST_FORMATS)
  expectTypeOf<ManifestFormatName>().toEqualTypeOf<ManifestFormat>()
})
