import { describe, expect, test } from 'vitest'
import { aContainer, aUsage, aWorkload, evaluateRule, someFacts } from '../builders.ts'
import type { ContainerFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { initContainerInflates } from './init-container-inflates.ts'

const init = (over: Partial<ContainerFacts> = {}) =>
  aContainer({ name: 'migrate', kind: 'init', cpuRequestMillicores: 3000, ...over })

const evaluate = (over: Partial<WorkloadFacts>) =>
  evaluateRule(
    initContainerInflates,
    someFacts({ workloads: [aWorkload({ containers: [init(), aContainer()], ...over })] }),
  )

test('an init container above the sum of the others costs the difference on every replica', () => {
  const { findings } = evaluate({})
  // Two unneeded cores on two replicas at $20 a core.
  expect(findings).toMatchObject([
    {
      target: { name: 'web', container: 'migrate' },
      podName: 'web-0',
      estimatedUsdPerMonth: 80,
      currentSpec: { cpuMillicores: 3000, memoryKib: 1024 * 1024 },
      recommendedSpec: { cpuMillicores: 1000, memoryKib: 1024 * 1024 },
      change: { action: 'set_requests', fields: [{ path: 'resources.requests.cpu', from: '3', to: '1' }] },
    },
  ])
})

test('a scaled workload counts with its average number of pods', () => {
  const autoscaler = { kind: 'hpa', name: 'web', replicasMin: 2, replicasMax: 9, cpuTargetPercent: 60 } as const
  const containers = [init(), aContainer({ usage: aUsage({ replicasMean: 2.5 }) })]
  expect(evaluate({ autoscaler, containers, replicas: 9 }).findings).toMatchObject([{ estimatedUsdPerMonth: 100 }])
})

describe('nothing is found', () => {
  test('if the app containers request as much together', () => {
    expect(evaluate({ containers: [init(), aContainer({ cpuRequestMillicores: 3000 })] }).findings).toEqual([])
  })

  test('if sidecars and app containers request as much together', () => {
    const sidecar = aContainer({ name: 'proxy', kind: 'sidecar', cpuRequestMillicores: 2000 })
    expect(evaluate({ containers: [init(), sidecar, aContainer()] }).findings).toEqual([])
  })

  test('if another init container reserves as much', () => {
    expect(evaluate({ containers: [init(), init({ name: 'other' }), aContainer()] }).findings).toEqual([])
  })

  test.each(['Job', 'CronJob'])('for a %s, whose init time is a large part of its life', (kind) => {
    expect(evaluate({ kind }).findings).toEqual([])
  })

  test('for a workload without pods', () => {
    expect(evaluate({ replicas: 0 }).findings).toEqual([])
  })
})

test('it does not go below the floor of the policy or of the annotation', () => {
  const containers = [init({ cpuRequestMillicores: 500 }), aContainer({ cpuRequestMillicores: 1 })]
  expect(evaluate({ containers }).findings).toMatchObject([{ recommendedSpec: { cpuMillicores: 10 } }])
  const annotations = { 'plimsoll.dev/min-cpu': '200m' }
  expect(evaluate({ containers, annotations }).findings).toMatchObject([{ recommendedSpec: { cpuMillicores: 200 } }])
})

test('without a price it is withheld', () => {
  expect(evaluate({ price: null }).reasons).toEqual(['no_price'])
})
