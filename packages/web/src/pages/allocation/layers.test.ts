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
