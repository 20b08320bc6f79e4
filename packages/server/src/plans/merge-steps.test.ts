import type { PlanStep } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { mergeSteps } from './merge-steps.ts'

type Step = Pick<PlanStep, 'id' | 'cluster_id' | 'kind' | 'savings' | 'risk' | 'effort' | 'changes'>

const aStep = (cluster: string, id: string, savings: number, workloads = 1): Step => ({
  id,
  cluster_id: cluster,
  kind: savings < 0 ? 'protect' : 'free',
  savings,
  risk: 'low',
  changes: workloads,
  effort: { workloads, teams: ['shop'], pods_restarted: 0, pods_moved: 0, stateful_sets_restarted: 0 },
})

const order = (...steps: Step[]) => mergeSteps(steps, steps.length).map(({ id }) => id)

test('the steps of several clusters are ordered by savings per effort, protect first', () => {
  expect(
    order(
      aStep('a', 'a1', 100),
      aStep('a', 'a2', 10),
      aStep('b', 'b1', -20),
      aStep('b', 'b2', 50),
      aStep('b', 'b3', 5),
    ),
  ).toEqual(['b1', 'a1', 'b2', 'a2', 'b3'])
})

test('a cluster keeps its own order, and a large step pulls the smaller ones before it', () => {
  expect(order(aStep('a', 'a1', 1), aStep('a', 'a2', 900), aStep('b', 'b1', 100), aStep('b', 'b2', 2))).toEqual([
    'a1',
    'a2',
    'b1',
    'b2',
  ])
})

test('every step is in the list once', () => {
  const steps = Array.from({ length: 30 }, (_, n) => aStep(`c${n % 4}`, `s${n}`, (n * 37) % 101, 1 + (n % 5)))
  const merged = mergeSteps(steps, steps.length)
  expect([...merged].sort((x, y) => steps.indexOf(x) - steps.indexOf(y))).toEqual(steps)
  for (const cluster of ['c0', 'c1', 'c2', 'c3']) {
    const own = (of: typeof steps) => of.filter((each) => each.cluster_id === cluster).map(({ id }) => id)
    expect(own(merged)).toEqual(own(steps))
  }
})
