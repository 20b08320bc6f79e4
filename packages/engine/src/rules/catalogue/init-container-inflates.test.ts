import { describe, expect, test } from 'vitest'
import { aContainer, aUsage, aWorkload, sayOf, someFacts } from '../builders.ts'
import type { ContainerFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { initContainerInflates } from './init-container-inflates.ts'

const init = (over: Partial<ContainerFacts> = {}) =>
  aContainer({ name: 'migrate', kind: 'init', cpuRequestMillicores: 3000, ...over })

const say = (over: Partial<WorkloadFacts>) =>
  sayOf(initContainerInflates, someFacts({ workloads: [aWorkload({ containers: [init(), aContainer()], ...over })] }))

test('an init container above all others together costs the difference, on every replica', () => {
  const { findings } = say({})
  // Two cores too many on two replicas at $20 a core.
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

test('where something scales it, the pods that it has on average count', () => {
  const autoscaler = { kind: 'hpa', name: 'web', replicasMin: 2, replicasMax: 9, cpuTargetPercent: 60 } as const
  const containers = [init(), aContainer({ usage: aUsage({ replicasMean: 2.5 }) })]
  expect(say({ autoscaler, containers, replicas: 9 }).findings).toMatchObject([{ estimatedUsdPerMonth: 100 }])
})

describe('nothing is said', () => {
  test('when the app containers ask for as much together', () => {
    expect(say({ containers: [init(), aContainer({ cpuRequestMillicores: 3000 })] }).findings).toEqual([])
  })

  test('when sidecars and app containers ask for as much together', () => {
    const sidecar = aContainer({ name: 'proxy', kind: 'sidecar', cpuRequestMillicores: 2000 })
    expect(say({ containers: [init(), sidecar, aContainer()] }).findings).toEqual([])
  })

  test('when another init container keeps the room', () => {
    expect(say({ containers: [init(), init({ name: 'other' }), aContainer()] }).findings).toEqual([])
  })

  test.each(['Job', 'CronJob'])('about a %s, of whose life it is a good part', (kind) => {
    expect(say({ kind }).findings).toEqual([])
  })

  test('about a workload without pods', () => {
    expect(say({ replicas: 0 }).findings).toEqual([])
  })
})

test('it does not go below the floor of the policy or of the mark', () => {
  const containers = [init({ cpuRequestMillicores: 500 }), aContainer({ cpuRequestMillicores: 1 })]
  expect(say({ containers }).findings).toMatchObject([{ recommendedSpec: { cpuMillicores: 10 } }])
  const annotations = { 'plimsoll.dev/min-cpu': '200m' }
  expect(say({ containers, annotations }).findings).toMatchObject([{ recommendedSpec: { cpuMillicores: 200 } }])
})

test('without a price it is withheld', () => {
  expect(say({ price: null }).reasons).toEqual(['no_price'])
})
