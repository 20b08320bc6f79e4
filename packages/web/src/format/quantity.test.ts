import { expect, test } from 'vitest'
import { bytes, cores, count, percent, signedPercent } from './quantity.ts'

test('cores read as in a manifest', () => {
  expect([cores(620), cores(1000), cores(14_250)]).toEqual(['620m', '1', '14.25'])
})

test('bytes read as in a manifest, in three digits', () => {
  expect([bytes(512), bytes(512 * 1024 ** 2), bytes(15.5 * 1024 ** 3)]).toEqual(['512B', '512Mi', '15.5Gi'])
})

test('unknown is a dash and never 0 %', () => {
  expect([percent(null), percent(0.991)]).toEqual(['–', '99.1 %'])
})

test('a change has its sign', () => {
  expect([signedPercent(0.031), signedPercent(-0.2)]).toEqual(['+3.1 %', '−20.0 %'])
})

test('one is not several', () => {
  expect([count(1, 'node'), count(2, 'node'), count(1200, 'pod')]).toEqual(['1 node', '2 nodes', '1,200 pods'])
})
