import type { Batch, ContainerShape, NamespaceSharing } from '@plimsoll/contract'
import type { shareCosts } from '@plimsoll/engine/allocation'
import { RULES, type ClusterFacts, type ContainerFacts } from '@plimsoll/engine/rules'
import { CATEGORIES } from '@plimsoll/engine/vocabulary'
import { expect, expectTypeOf, test } from 'vitest'

test('usage sources, containers and sharing have the same words in the engine and in the API', () => {
  expectTypeOf<ClusterFacts['usageSource']>().toEqualTypeOf<Batch['agent']['usage_source']>()
  expectTypeOf<ContainerFacts['kind']>().toEqualTypeOf<ContainerShape['kind']>()
  expectTypeOf<Parameters<typeof shareCosts>[3]['kind']>().toEqualTypeOf<NamespaceSharing>()
})

test('the category of every rule is a filter of the API', () => {
  for (const { category } of RULES) expect(CATEGORIES).toContain(category)
})
