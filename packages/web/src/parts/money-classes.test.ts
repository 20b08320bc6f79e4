import { expect, test } from 'vitest'
import { amountOf, totalOf, wordsFor, type Classes } from './money-classes.ts'

const cpu: Classes = { workload: 30, workload_idle: 20, cluster_idle: 10, unmeasured: 0 }
const gpu: Classes = { workload: 100, workload_idle: 5, cluster_idle: 2, unmeasured: 98 }

const amounts = (classes: Classes) => wordsFor(classes).map(({ key }) => [key, amountOf(classes, key)])

test('what was not measured stands apart from what was used', () => {
  expect(amounts(gpu)).toEqual([
    ['used', 2],
    ['unmeasured', 98],
    ['workload_idle', 5],
    ['cluster_idle', 2],
  ])
})

test('where everything was measured there are three classes', () => {
  expect(amounts(cpu)).toEqual([
    ['used', 30],
    ['workload_idle', 20],
    ['cluster_idle', 10],
  ])
})

test('what is shown adds up to the whole', () => {
  for (const classes of [cpu, gpu]) {
    expect(amounts(classes).reduce((sum, [, usd]) => sum + Number(usd), 0)).toBe(totalOf(classes))
  }
})

test('one row with a gap is enough to have the class explained', () => {
  expect(wordsFor(cpu, gpu)).toHaveLength(4)
})
