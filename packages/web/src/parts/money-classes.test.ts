import { expect, test } from 'vitest'
import { amountOf, totalOf, wordsFor, type Classes } from './money-classes.ts'

const cpu: Classes = { workload: 30, workload_idle: 20, cluster_idle: 10, unmeasured: 0 }
const gpu: Classes = { workload: 100, workload_idle: 5, cluster_idle: 2, unmeasured: 98 }

const amounts = (classes: Classes) => wordsFor(classes).map(({ key }) => [key, amountOf(classes, key)])

test('unmeasured cost is separate from used cost', () => {
  expect(amounts(gpu)).toEqual([
    ['used', 2],
    ['unmeasured', 98],
    ['workload_idle', 5],
    ['cluster_idle', 2],
  ])
})

test('there are three classes if everything was measured', () => {
  expect(amounts(cpu)).toEqual([
    ['used', 30],
    ['workload_idle', 20],
    ['cluster_idle', 10],
  ])
})

test('the shown amounts add up to the total', () => {
  for (const classes of [cpu, gpu]) {
    expect(amounts(classes).reduce((sum, [, usd]) => sum + Number(usd), 0)).toBe(totalOf(classes))
  }
})

test('one row with unmeasured cost adds the class to the legend', () => {
  expect(wordsFor(cpu, gpu)).toHaveLength(4)
})
