import { expect, test } from 'vitest'
import { aWorkload, HOUR, NOW, sayOf, someFacts } from './builders.ts'
import type { WorkloadFacts } from './cluster-facts.ts'
import { failedPodsHolding } from './failed-pods-holding.ts'

const stuck = (name: string, hours: number) => ({ name, since: NOW - hours * HOUR, cpuMillicores: 500, memoryKib: 0 })

const say = (over: Partial<WorkloadFacts>) => sayOf(failedPodsHolding, someFacts({ workloads: [aWorkload(over)] }))

test('pods that were scheduled an hour ago and do not run cost what they ask for', () => {
  const { findings } = say({ stuckPods: [stuck('web-2', 1), stuck('web-1', 30)] })
  // Half a core each at $20 a core.
  expect(findings).toMatchObject([
    {
      title: '2 pods of web hold resources without running',
      podName: 'web-1',
      estimatedUsdPerMonth: 20,
      recommendedSpec: null,
      change: { action: 'investigate' },
      evidence: { facts: { pods: 2, hours_stuck: 30 } },
    },
  ])
})

test('a pod that was scheduled just now may still be starting', () => {
  expect(say({ stuckPods: [stuck('web-1', 0.9)] }).findings).toEqual([])
})

test('nothing is said about pods that run', () => {
  expect(say({}).findings).toEqual([])
})

test('without a price it is withheld', () => {
  expect(say({ stuckPods: [stuck('web-1', 2)], price: null }).reasons).toEqual(['no_price'])
})
