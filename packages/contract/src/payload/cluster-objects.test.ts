import fc from 'fast-check'
import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { lawRuns } from '../../../../test/rounds.ts'
import { objectsIn, withoutRequired, withUnknownField, withWrongType } from '../../test/schema-changes.ts'
import { valuesOf, type JsonSchema } from '../../test/schema-values.ts'
import { objectKinds, objectSpecs } from './cluster-objects.ts'
import { LabelSelector, PodScheduling, Taint } from './scheduling.ts'

const runs = lawRuns(60)

test('every kind has a number, and no two kinds share one', () => {
  expect([...objectKinds].sort()).toEqual(Object.keys(objectSpecs).sort())
  expect(new Set(objectKinds).size).toBe(objectKinds.length)
})

describe.each(Object.entries(objectSpecs).map(([kind, schema]) => ({ kind, schema })))('a $kind', ({ schema }) => {
  const values = valuesOf(schema as JsonSchema)

  test('is accepted with any of its optional fields', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect([...Value.Errors(schema, value)]).toEqual([])
      }),
      runs,
    )
  })

  test('of a newer agent is accepted: its unknown fields are ignored', () => {
    fc.assert(
      fc.property(values, (value) => {
        const [whole] = objectsIn(schema as JsonSchema, value)
        expect(whole && Value.Check(schema, withUnknownField(whole))).toBe(true)
      }),
      runs,
    )
  })

  test('without a required field, or with a field of another type, is rejected', () => {
    fc.assert(
      fc.property(values, (value) => {
        for (const part of objectsIn(schema as JsonSchema, value)) {
          for (const { field, changed } of [...withoutRequired(part), ...withWrongType(part)]) {
            expect([part.path, field, Value.Check(schema, changed)]).toEqual([part.path, field, false])
          }
        }
      }),
      runs,
    )
  })
})

describe.each([
  { name: 'the scheduling of a pod', schema: PodScheduling },
  { name: 'a taint', schema: Taint },
  { name: 'a label selector', schema: LabelSelector },
])('$name', ({ schema }) => {
  const values = valuesOf(schema as JsonSchema)

  test('is accepted with any of its optional fields, and survives JSON', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect([...Value.Errors(schema, JSON.parse(JSON.stringify(value)))]).toEqual([])
      }),
      runs,
    )
  })

  test('with an unknown field is rejected', () => {
    fc.assert(
      fc.property(values, (value) => {
        for (const part of objectsIn(schema as JsonSchema, value)) {
          if (part.schema.properties === undefined) continue
          expect([part.path, Value.Check(schema, withUnknownField(part))]).toEqual([part.path, false])
        }
      }),
      runs,
    )
  })
})

test.each([
  ['a port of 0', { host_ports: [{ port: 0 }] }],
  ['a port above 65535', { host_ports: [{ port: 65_536 }] }],
  ['an unknown operator', { node_affinity: [{ expressions: [{ key: 'a', operator: 'Near' }] }] }],
  ['an unknown effect', { tolerations: [{ effect: 'Sometimes' }] }],
  ['a skew of 0', { spread: [{ topology_key: 'zone', max_skew: 0 }] }],
  ['a negative amount', { ephemeral_request: -1 }],
  ['part of a GPU', { extended_requests: { 'nvidia.com/gpu': 0.5 } }],
  ['too many tolerations', { tolerations: Array.from({ length: 1001 }, () => ({ key: 'a' })) }],
])('%s is no scheduling constraint', (_name, scheduling) => {
  expect(Value.Check(PodScheduling, scheduling)).toBe(false)
})
