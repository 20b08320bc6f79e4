import { describe, expect, test } from 'vitest'
import { aContainer, aSize, aUsage, aWorkload, evaluateRule, someCpu, someFacts, someMemory } from '../builders.ts'
import type { ContainerFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { replicasOverprovisioned } from './replicas-overprovisioned.ts'

const MIB = 1024

type Case = { container?: Partial<ContainerFacts>; usage?: Partial<UsageFacts>; workload?: Partial<WorkloadFacts> }

/** Six pods that use 8 of 100 millicores each; right-sizing gives 10. */
function evaluate({ container = {}, usage = {}, workload = {} }: Case = {}) {
  const own = aContainer({
    cpuRequestMillicores: 1000,
    memoryRequestKib: 1024 * MIB,
    decision: aSize(10, 700 * MIB),
    usage: aUsage({
      cpu: someCpu([8]),
      memory: someMemory(600 * MIB),
      memoryMaxKib: 600 * MIB,
      replicasMean: 6,
      ...usage,
    }),
    ...container,
  })
  return evaluateRule(
    replicasOverprovisioned,
    someFacts({ workloads: [aWorkload({ replicas: 6, containers: [own], ...workload })] }),
  )
}

test('six nearly idle pods become two, and the savings count their right-sized cost', () => {
  const { findings } = evaluate()
  expect(findings).toMatchObject([
    {
      change: { action: 'set_replicas', fields: [{ path: 'spec.replicas', from: '6', to: '2' }] },
      recommendedSpec: null,
      risk: 'medium',
    },
  ])
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(4 * (10 * 0.02 + 700 * MIB * 0.000004), 4)
})

describe('a proxy next to a nearly idle program', () => {
  const using = (millicores: number, name: string) =>
    aContainer({
      name,
      decision: aSize(10, 700 * MIB),
      usage: aUsage({
        cpu: someCpu([millicores]),
        memory: someMemory(600 * MIB),
        memoryMaxKib: 600 * MIB,
        replicasMean: 6,
      }),
    })
  const both = (web: number, proxy: number) =>
    evaluate({ workload: { containers: [using(web, 'web'), using(proxy, 'proxy')] } }).findings

  test('does not keep the pods: the mean over the containers of the pod decides', () => {
    expect(both(4, 14)).toMatchObject([{ change: { fields: [{ to: '2' }] } }])
    // The evidence is that of the busiest container, which it names.
    expect(both(4, 14)[0]?.evidence).toMatchObject({ facts: { container: 'proxy' } })
    expect(both(4, 14)[0]?.evidence.cpuMillicores?.max).toBeGreaterThan(13)
  })

  test('keeps them if the pod as a whole, or one of its containers, is busy', () => {
    expect(both(9, 14)).toEqual([])
    expect(both(1, 25)).toEqual([])
  })
})

test('a PodDisruptionBudget keeps the pods that it requires', () => {
  expect(evaluate({ workload: { disruptionsAllowed: 1 } }).findings).toMatchObject([
    { change: { fields: [{ to: '5' }] } },
  ])
})

describe('nothing is found', () => {
  test.each<Case & { name: string }>([
    { name: 'for two pods', workload: { replicas: 2 } },
    { name: 'for busy pods', usage: { cpu: someCpu([50]) } },
    { name: 'for StatefulSets with a quorum', workload: { kind: 'StatefulSet' } },
    { name: 'for DaemonSets', workload: { kind: 'DaemonSet' } },
    { name: 'with ten days of history', usage: { historyDays: 10 } },
    { name: 'for workloads that cannot be sized', usage: { restarts: 400 } },
    { name: 'for workloads with a PodDisruptionBudget for all pods', workload: { disruptionsAllowed: 0 } },
    { name: 'without a price', workload: { price: null } },
    { name: 'for idle workloads', usage: { cpu: someCpu([1]) } },
    {
      name: 'for autoscaled workloads',
      workload: { autoscaler: { kind: 'hpa', name: 'scaler', replicasMin: 6, replicasMax: 9, cpuTargetPercent: 80 } },
    },
  ])('$name', (each) => {
    expect(evaluate(each).findings).toEqual([])
  })
})

test('without data about autoscalers the rule is withheld', () => {
  const facts = someFacts({ workloads: [aWorkload({ replicas: 6 })] })
  const known = new Set([...facts.known].filter((fact) => fact !== 'autoscalers'))
  expect(evaluateRule(replicasOverprovisioned, { ...facts, known }).reasons).toEqual(['no_source'])
})
