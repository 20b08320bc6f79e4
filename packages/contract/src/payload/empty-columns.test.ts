import { expect, test } from 'vitest'
import {
  BalancerColumns,
  EventColumns,
  MinuteColumns,
  NodeColumns,
  ObjectColumns,
  PodColumns,
  VolumeColumns,
} from './batch.ts'
import * as empty from './empty-columns.ts'

test.each([
  ['nodes', NodeColumns, empty.emptyNodes],
  ['pods', PodColumns, empty.emptyPods],
  ['volumes', VolumeColumns, empty.emptyVolumes],
  ['balancers', BalancerColumns, empty.emptyBalancers],
  ['objects', ObjectColumns, empty.emptyObjects],
  ['minutes', MinuteColumns, empty.emptyMinutes],
  ['events', EventColumns, empty.emptyEvents],
] as const)('an empty table of %s has every column of the schema', (_name, { properties }, make) => {
  const table: Record<string, unknown[]> = make()
  expect(Object.keys(table).sort()).toEqual(Object.keys(properties).sort())
  expect(Object.values(table).flat()).toEqual([])
})

test('two tables share no column', () => {
  const [one, other] = [empty.emptyNodes(), empty.emptyNodes()]
  one.ref.push(1)
  expect(other.ref).toEqual([])
})
