import {
  changeActions,
  changedParts,
  effectKinds,
  levelNames,
  manifestFormats,
  recommendationCategories,
  severityNames,
  waterfallParts,
  type Batch,
  type ContainerShape,
  type DialName,
  type ManifestFormatName,
  type NamespaceSharing,
  type PoolAnswer,
  type StepKindName,
  type UnsafeKind,
  type VerificationState,
} from '@plimsoll/contract'
import type { shareCosts } from '@plimsoll/engine/allocation'
import { WATERFALL_PARTS } from '@plimsoll/engine/changes'
import { MANIFEST_FORMATS, type ManifestFormat } from '@plimsoll/engine/manifests'
import type { StepKind } from '@plimsoll/engine/plan'
import {
  RULES,
  SEVERITIES,
  type ContainerFacts,
  type ClusterFacts,
  type Policy,
  type PoolScaling,
  type Rule,
} from '@plimsoll/engine/rules'
import { CATEGORIES, CHANGE_ACTIONS, COST_PARTS, EFFECT_KINDS, LEVELS } from '@plimsoll/engine/testing'
import type { verifyChange } from '@plimsoll/engine/verification'
import { expect, expectTypeOf, test } from 'vitest'

/** The engine has no dependencies, so it defines its words itself. Every other package imports them from one of the two. */
test('the API and the rules use the same words in the same order', () => {
  expect(CATEGORIES).toEqual(recommendationCategories)
  expect(SEVERITIES).toEqual(severityNames)
  expect(LEVELS).toEqual(levelNames)
  expect(CHANGE_ACTIONS).toEqual(changeActions)
})

test('the effects on costs and the parts of the waterfall have the same words', () => {
  expect(COST_PARTS).toEqual(changedParts)
  expect(EFFECT_KINDS).toEqual(effectKinds)
  expect(WATERFALL_PARTS).toEqual(waterfallParts)
})

test('policies, usage sources, containers and sharing have the same words', () => {
  expectTypeOf<Policy['dial']>().toEqualTypeOf<DialName>()
  expectTypeOf<NonNullable<Rule['failure']>['kind']>().toEqualTypeOf<UnsafeKind>()
  expectTypeOf<StepKind>().toEqualTypeOf<StepKindName>()
  expectTypeOf<PoolScaling>().toEqualTypeOf<PoolAnswer>()
  expectTypeOf<ClusterFacts['usageSource']>().toEqualTypeOf<Batch['agent']['usage_source']>()
  expectTypeOf<ContainerFacts['kind']>().toEqualTypeOf<ContainerShape['kind']>()
  expectTypeOf<Parameters<typeof shareCosts>[3]['kind']>().toEqualTypeOf<NamespaceSharing>()
  expectTypeOf<ReturnType<typeof verifyChange>>().toEqualTypeOf<VerificationState>()
})

test('the category of every rule is a filter of the API', () => {
  for (const { category } of RULES) expect(recommendationCategories).toContain(category)
})

test('the API offers exactly the manifest formats of the engine', () => {
  expect(manifestFormats).toEqual(MANIFEST_FORMATS)
  expectTypeOf<ManifestFormatName>().toEqualTypeOf<ManifestFormat>()
})
