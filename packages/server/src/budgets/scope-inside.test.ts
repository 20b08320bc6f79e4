import type { CostScope } from '@plimsoll/contract'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ScopeMatcher } from '../costs/scope-matcher.ts'
import { isInside, narrowScope } from './scope-inside.ts'

const names = (all: string[]) => fc.option(fc.subarray(all, { minLength: 1 }), { nil: undefined })
const scope: fc.Arbitrary<CostScope> = fc
  .record({
    clusters: names(['cls_a', 'cls_b']),
    namespaces: names(['shop', 'data']),
    teams: names(['red', 'blue', '__none__']),
    labels: names(['tier=gold', 'tier=tin', 'app=web']),
    workloads: names(['shop/Deployment/web', 'data/Deployment/db']),
  })
  .map((each) => JSON.parse(JSON.stringify(each)) as CostScope)

const workload = fc
  .record({
    namespace: fc.constantFrom('shop', 'data'),
    workload: fc.constantFrom('web', 'db'),
    labels: fc.record(
      {
        tier: fc.constantFrom('gold', 'tin'),
        app: fc.constantFrom('web', 'db'),
        __team__: fc.constantFrom('red', 'blue'),
      },
      { requiredKeys: [] },
    ),
  })
  .map((each) => ({ kind: 'workload' as const, controllerKind: 'Deployment', ...each }))
const owner = fc.oneof(
  { weight: 4, arbitrary: workload },
  { weight: 1, arbitrary: fc.constant({ kind: 'idle' as const }) },
)
const cluster = fc.constantFrom('cls_a', 'cls_b')

const has = (of: CostScope, clusterId: string, cost: Parameters<ScopeMatcher['matching']>[1]) =>
  new ScopeMatcher([of]).matching(clusterId, cost).length === 1

test('a cost of an inner scope is a cost of the outer scope, so a parent costs at least as much as each child', () => {
  fc.assert(
    fc.property(scope, scope, cluster, owner, (inner, outer, clusterId, cost) => {
      fc.pre(isInside(inner, outer))
      if (has(inner, clusterId, cost)) expect(has(outer, clusterId, cost)).toBe(true)
    }),
  )
})

test('a narrowed scope has the costs that are in both scopes', () => {
  const limits = scope.map(
    ({ clusters, namespaces, teams }) => JSON.parse(JSON.stringify({ clusters, namespaces, teams })) as CostScope,
  )
  fc.assert(
    fc.property(scope, limits, cluster, owner, (asked, allowed, clusterId, cost) => {
      const expected = has(asked, clusterId, cost) && has(allowed, clusterId, cost)
      expect(has(narrowScope(asked, allowed), clusterId, cost)).toBe(expected)
    }),
  )
})

test('many scopes together match as each of them alone', () => {
  fc.assert(
    fc.property(fc.array(scope, { maxLength: 10 }), cluster, owner, (scopes, clusterId, cost) => {
      const alone = scopes.flatMap((each, index) => (has(each, clusterId, cost) ? [index] : []))
      expect(new ScopeMatcher(scopes).matching(clusterId, cost).sort((a, b) => a - b)).toEqual(alone)
    }),
  )
})
