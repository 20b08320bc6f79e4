import { expect, test } from 'vitest'
import { aContainer, aUsage, aWorkload, HOUR, NOW, evaluateRule, someFacts } from '../builders.ts'
import type { WorkloadFacts } from '../facts/cluster-facts.ts'
import { failedPodsHolding } from './failed-pods-holding.ts'

const stuck = (name: string, hours: number) => ({ name, since: NOW - hours * HOUR, cpuMillicores: 500, memoryKib: 0 })

const evaluate = (over: Partial<WorkloadFacts>) =>
  evaluateRule(failedPodsHolding, someFacts({ workloads: [aWorkload(over)] }))

test('pods that were scheduled an hour ago and do not run cost their requests', () => {
  const { findings } = evaluate({ stuckPods: [stuck('web-2', 1), stuck('web-1', 30)] })
  // Half a core each at $20 a core.
  expect(findings).toMatchObject([
    {
      title: 'Fix or remove 2 pods of web that do not start',
      podName: 'web-1',
      estimatedUsdPerMonth: 20,
      recommendedSpec: null,
      change: { action: 'investigate' },
      evidence: { facts: { pods: 2, hours_stuck: 30 } },
    },
  ])
})

test('a pod that was just scheduled may still be starting', () => {
  expect(evaluate({ stuckPods: [stuck('web-1', 0.9)] }).findings).toEqual([])
})

test('nothing is found for running pods', () => {
  expect(evaluate({}).findings).toEqual([])
})

test('without a price it is withheld', () => {
  expect(evaluate({ stuckPods: [stuck('web-1', 2)], price: null }).reasons).toEqual(['no_price'])
})

/** Five pods that request one core and 1 GiB each. */
const restarted = (restartsOfDay: number, over: Partial<WorkloadFacts> = {}) =>
  evaluate({ replicas: 5, containers: [aContainer({ usage: aUsage({ restartsOfDay }) })], ...over })

test('a crash loop holds the requests of the fewest pods that can be in it', () => {
  const pod = 20 + 1024 * 1024 * 0.000004
  // At most 293 restarts per pod and day: 4 pods restart at most 1172 times.
  const [finding] = restarted(1334).findings
  expect(finding).toMatchObject({
    title: 'Fix CrashLoopBackOff of web/app: its pods reserve capacity but do not run',
    change: { action: 'investigate' },
    removesPods: 5,
    evidence: { facts: { restarts_last_day: 1334, pods: 5, replicas: 5 } },
  })
  expect(finding?.estimatedUsdPerMonth).toBeCloseTo(5 * pod, 6)
  expect(finding?.costUsdPerMonth).toBeCloseTo(5 * pod, 6)
  expect(restarted(267, { replicas: 1 }).findings).toMatchObject([{ removesPods: 1 }])
  expect(restarted(1100).findings).toMatchObject([
    {
      removesPods: 4,
      evidence: { confidenceReasons: [expect.stringContaining('so at least 4 of 5 pods crash.') as string] },
    },
  ])
})

test('if all pods crash, the text says so and no caveat contradicts it', () => {
  const [finding] = restarted(1334).findings
  expect(finding?.evidence.confidenceReasons[0]).toMatch(/, so 5 pods crash\.$/)
  expect(finding?.evidence.caveats.join(' ')).not.toContain('does not know which')
})

test.each([
  { name: 'exits every hour by itself', result: restarted(5 * 24) },
  { name: 'restarted a few times', result: restarted(90, { replicas: 1 }) },
  { name: 'is a job', result: restarted(1334, { kind: 'CronJob' }) },
  { name: 'has no known restarts', result: evaluate({ containers: [aContainer({ usage: aUsage() })] }) },
])('a workload that $name is in no crash loop', ({ result: { findings } }) => {
  expect(findings).toEqual([])
})

test('a crash loop without a price is withheld', () => {
  expect(restarted(1334, { price: null }).reasons).toEqual(['no_price'])
})

test('pods that never started are reported before pods that crash', () => {
  const { findings } = restarted(1334, { stuckPods: [stuck('web-1', 2)] })
  expect(findings).toMatchObject([{ title: 'Fix or remove 1 pod of web that does not start' }])
})
