import type { RecommendationGroup } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { choicesOf } from './filters.tsx'

const group = (over: Partial<RecommendationGroup>): RecommendationGroup => ({
  ...{ cluster_id: null, namespace: null, workload: null, rule_id: null, verification: null },
  ...{ count: 58, estimated_savings: 0, bankable_savings: 0 },
  ...over,
})

const optionsOf = (search: object, label: string) => {
  const known = {
    rules: [group({ rule_id: 'limits_memory_missing', rule_name: 'No memory limit' })],
    namespaces: [group({ namespace: 'messaging' }), group({ namespace: '__none__' })],
  }
  return choicesOf(search, known, undefined).find((each) => each.label === label)?.options
}

test('the filters offer every rule and namespace that has recommendations, whether their rows are loaded or not', () => {
  expect(optionsOf({}, 'Rule')).toEqual([
    ['', 'Any rule'],
    ['limits_memory_missing', 'No memory limit'],
  ])
  expect(optionsOf({}, 'Namespace')).toEqual([
    ['', 'Any namespace'],
    ['__none__', 'No namespace'],
    ['messaging', 'messaging'],
  ])
})

test('the filter of the URL is an option before the others are loaded', () => {
  expect(optionsOf({ namespace: 'shop' }, 'Namespace')).toContainEqual(['shop', 'shop'])
})
