import type { Allocation } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { layersOf } from './layers.ts'

type Step = Allocation['steps'][number]

const stepOf = (hour: number, total: number, hasData: boolean) =>
  ({
    from: `2026-11-17T0${hour}:00:00Z`,
    to: `2026-11-17T0${hour + 1}:00:00Z`,
    has_data: hasData,
    rows: total === 0 ? [] : [{ names: { namespace: 'shop' }, cost: { total } }],
    rest: { cost: { total: 0 } },
  }) as unknown as Step

test('a step without data has no cost, and a step in which nothing ran costs $0', () => {
  const steps = [stepOf(0, 1, true), stepOf(1, 0, false), stepOf(2, 0, true), stepOf(3, 2, true)]
  const { layers } = layersOf(steps, { by: 'namespace', named: ['shop'], step: 'day' })
  expect(layers.map(({ name, values }) => [name, values])).toEqual([['shop', [24, null, 0, 48]]])
})

test('owners with the same short name have their own layers, with their whole names', () => {
  const names = ['shop/Deployment/web', 'shop/StatefulSet/web', 'ci/Deployment/run']
  const rows = names.map((workload) => ({ names: { workload }, cost: { total: 1 } }))
  const step = { ...stepOf(0, 0, true), rows } as unknown as Step
  const { layers } = layersOf([step], { by: 'workload', named: names, step: 'day' })
  expect(layers.map(({ key, name }) => [key, name])).toEqual([
    ['shop/Deployment/web', 'shop/Deployment/web'],
    ['shop/StatefulSet/web', 'shop/StatefulSet/web'],
    ['ci/Deployment/run', 'ci/run'],
  ])
})
