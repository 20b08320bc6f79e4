import { expect, test } from 'vitest'
import fc from 'fast-check'
import {
  bytes,
  cores,
  count,
  cpuQuantity,
  countTenths,
  gibibytes,
  percent,
  quantity,
  shares,
  signedPercent,
  vcpus,
  withUnits,
} from './quantity.ts'

test('CPU always has a unit, and one decimal below 10m', () => {
  expect([cores(1.3), cores(620), cores(1000), cores(1450), cores(2000), cores(14_250)]).toEqual([
    '1.3m',
    '620m',
    '1 core',
    '1450m',
    '2 cores',
    '14.25 cores',
  ])
  expect([cpuQuantity('2'), cpuQuantity('1450m'), cpuQuantity(null)]).toEqual(['2 cores', '1450m', 'null'])
})

test('a volume size reads the same in figures and in sentences', () => {
  expect([gibibytes(1000), withUnits('volume data (1000 GiB)'), withUnits('1000Gi')]).toEqual([
    '1,000 GiB',
    'volume data (1,000 GiB)',
    '1,000 GiB',
  ])
})

test('memory and storage have binary units in three digits', () => {
  expect([bytes(512), bytes(512 * 1024 ** 2), bytes(15.5 * 1024 ** 3)]).toEqual(['512 B', '512 MiB', '15.5 GiB'])
  expect([gibibytes(0.5), gibibytes(2048)]).toEqual(['512 MiB', '2 TiB'])
})

test('machines have vCPU', () => {
  expect([vcpus(8), vcpus(0.25)]).toEqual(['8 vCPU', '0.25 vCPU'])
})

test.each([
  ['34407Mi', '33.6 GiB'],
  ['1Gi', '1 GiB'],
  ['524288Ki', '512 MiB'],
  ['1500m', '1500m'],
  ['620m', '620m'],
  [3, '3'],
  ['gp3', 'gp3'],
  [null, 'null'],
])('the quantity %s reads %s', (value, text) => expect(quantity(value)).toBe(text))

test('shares of a whole add up to 100.0 %', () => {
  const amount = fc.integer({ min: 0, max: 1_000_000 })
  fc.assert(
    fc.property(fc.array(amount, { minLength: 1, maxLength: 20 }), (parts) => {
      fc.pre(parts.some((part) => part > 0))
      const tenths = shares(parts).map((text) => Math.round(10 * Number(text.replace(' %', ''))))
      expect(tenths.reduce((sum, each) => sum + each, 0)).toBe(1000)
    }),
  )
  expect(shares([0, 0])).toEqual(['–', '–'])
})

test('unknown is a dash and never 0 %', () => {
  expect([percent(null), percent(0.991)]).toEqual(['–', '99.1 %'])
})

test('a change has its sign', () => {
  expect([signedPercent(0.031), signedPercent(-0.2)]).toEqual(['+3.1 %', '−20.0 %'])
  expect([signedPercent(0), signedPercent(-0.0004)]).toEqual(['0.0 %', '0.0 %'])
})

test('singular and plural differ', () => {
  expect([count(1, 'node'), count(2, 'node'), count(1200, 'pod')]).toEqual(['1 node', '2 nodes', '1,200 pods'])
  expect([countTenths(1.04, 'day'), countTenths(0.5, 'day')]).toEqual(['1 day', '0.5 days'])
})
