import { expect, test } from 'vitest'
import { aWorkload, evaluateRule, someFacts } from '../builders.ts'
import type { AutoscalerFacts, ScalingHistory, WorkloadFacts } from '../facts/cluster-facts.ts'
import { hpaMinReplicasHigh } from './hpa-min-replicas-high.ts'

const evaluate = (
  over: Partial<AutoscalerFacts> = {},
  history: Partial<ScalingHistory> = {},
  workload: Partial<WorkloadFacts> = {},
) => {
  const autoscaler: AutoscalerFacts = {
    kind: 'hpa',
    name: 'scaler',
    replicasMin: 10,
    replicasMax: 20,
    cpuTargetPercent: 60,
    hasOtherMetrics: false,
    history: { days: 14, atMinShare: 1, cpuUsePercent: 20, ...history },
    ...over,
  }
  return evaluateRule(
    hpaMinReplicasHigh,
    someFacts({ workloads: [aWorkload({ replicas: 10, autoscaler, ...workload })] }),
  )
}

test('a minimum above the demand of the target costs the pods between', () => {
  // 10 pods at 20 % of a target of 60 %, plus a fifth: 4 pods are enough.
  const { findings } = evaluate()
  expect(findings).toMatchObject([{ change: { fields: [{ from: '10', to: '4' }] }, removesPods: 6 }])
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(6 * (20 + 1024 * 1024 * 0.000004), 6)
})

test('the change names the autoscaler', () => {
  const object = { kind: 'HorizontalPodAutoscaler', namespace: 'shop', name: 'scaler', container: '' }
  expect(evaluate().findings).toMatchObject([{ change: { object, fields: [{ path: 'spec.minReplicas' }] } }])
  expect(evaluate({ kind: 'keda' }).findings).toMatchObject([
    { change: { object: { ...object, kind: 'ScaledObject' }, fields: [{ path: 'spec.minReplicaCount' }] } },
  ])
})

test('nothing is found if it is busy at its minimum, or often above it', () => {
  expect(evaluate({}, { cpuUsePercent: 55 }).findings).toEqual([])
  expect(evaluate({}, { atMinShare: 0.89 }).findings).toEqual([])
})

test('two pods stay', () => {
  expect(evaluate({}, { cpuUsePercent: 1 }).findings).toMatchObject([{ change: { fields: [{ to: '2' }] } }])
  expect(evaluate({ replicasMin: 2 }, { cpuUsePercent: 1 }).findings).toEqual([])
})

test('other metrics, another target than CPU and less than a week of data exclude it', () => {
  expect(evaluate({ hasOtherMetrics: true }).findings).toEqual([])
  expect(evaluate({ cpuTargetPercent: null }).findings).toEqual([])
  expect(evaluate({}, { days: 6 }).findings).toEqual([])
  expect(evaluate({ history: null }).findings).toEqual([])
})

test('with more pods than the minimum, no current pod is named as removed', () => {
  expect(evaluate({}, {}, { replicas: 11 }).findings[0]).not.toHaveProperty('removesPods')
})

test('without a price it is withheld', () => {
  expect(evaluate({}, {}, { price: null }).reasons).toEqual(['no_price'])
})
