import fc from 'fast-check'
import type { PodConstraints, PodTerm } from '../src/packing/cluster.ts'
import type { LabelSelector } from '../src/packing/label-selector.ts'

export type Drawn<Some> = Some extends fc.Arbitrary<infer Value> ? Value : never

/** A value in one of `weight` + 1 cases, otherwise undefined. */
export const maybe = <Value>(some: fc.Arbitrary<Value>, weight = 4) =>
  fc.oneof({ weight, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: some })

/** Omits undefined fields, as exact optional types require. */
export function given<Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as never
}

type TermParts = {
  topologyKey: fc.Arbitrary<string>
  selector: fc.Arbitrary<LabelSelector | undefined>
  namespace: fc.Arbitrary<string>
}

/** A term of pod affinity or anti-affinity. */
export const podTerm = ({ topologyKey, selector, namespace }: TermParts): fc.Arbitrary<PodTerm> =>
  fc
    .record({
      topologyKey,
      selector,
      namespaces: maybe(fc.uniqueArray(namespace, { minLength: 1, maxLength: 2 })),
      namespaceSelector: maybe(fc.constantFrom({}, { labels: { team: 'a' } }), 8),
    })
    .map((some) => given(some) as PodTerm)

type Spread = NonNullable<PodConstraints['spread']>[number]
type SpreadParts = {
  topologyKey: fc.Arbitrary<string>
  maxSkew: fc.Arbitrary<number>
  selector: fc.Arbitrary<LabelSelector>
  minDomains: fc.Arbitrary<number>
}

export const spreadConstraint = ({ minDomains, ...parts }: SpreadParts): fc.Arbitrary<Spread> =>
  fc
    .record({
      ...parts,
      minDomains: maybe(minDomains),
      nodeAffinityPolicy: maybe(fc.constantFrom('Honor' as const, 'Ignore' as const)),
      nodeTaintsPolicy: maybe(fc.constantFrom('Honor' as const, 'Ignore' as const)),
    })
    .map((some) => given(some) as Spread)

/** A bound on the label `gen`. */
export const generationBound = fc.record({
  key: fc.constant('gen'),
  operator: fc.constantFrom('Gt' as const, 'Lt' as const),
  values: fc.constantFrom(['1'], ['2']),
})
