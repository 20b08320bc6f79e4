import { expect, test } from 'vitest'
import { aContainer, aNode, aPool, aUsage, aWorkload, evaluateRule, someFacts } from '../builders.ts'
import type { ClusterFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { NO_PLACEMENT, type PlacementFacts } from '../facts/object-facts.ts'
import { spotCandidate } from './spot-candidate.ts'

const evaluate = (
  over: Partial<WorkloadFacts> = {},
  placement: Partial<PlacementFacts> = {},
  cluster: Partial<ClusterFacts> = {},
) => {
  const workload = aWorkload({ replicas: 3, placement: { ...NO_PLACEMENT, spotDiscount: 0.6, ...placement }, ...over })
  return evaluateRule(spotCandidate, someFacts({ pools: [aPool()], ...cluster, workloads: [workload] }))
}

/** A core and a GiB. */
const podUsd = 20 + 1024 * 1024 * 0.000004

test('two of three stateless pods on spot save the discount on their requests', () => {
  const { findings } = evaluate()
  // One core and 1 GiB cost $24.19 per pod; two pods, 60 % off.
  expect(findings).toMatchObject([{ title: 'Run 2 of 3 pods of web on spot nodes', bankableUsdPerMonth: null }])
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(2 * (20 + 1024 * 1024 * 0.000004) * 0.6, 6)
})

test('nothing is found for a workload on spot, with two pods or of another kind than Deployment', () => {
  expect(evaluate({}, { spotPods: 1 }).findings).toEqual([])
  expect(evaluate({ replicas: 2 }).findings).toEqual([])
  expect(evaluate({ kind: 'StatefulSet' }).findings).toEqual([])
})

test.each([
  ['volumes', {}, { hasVolumes: true }],
  ['local data', {}, { hasLocalStorage: true }],
  ['an annotation on its pods', {}, { isPinned: true }],
  ['a PodDisruptionBudget that allows no disruption', { disruptionsAllowed: 0 }, {}],
  ['the annotation', { annotations: { 'plimsoll.dev/spot': 'false' } }, {}],
  ['no spot price', {}, { spotDiscount: null }],
  ['no price', { price: null }, {}],
])('%s: it is omitted', (_why, over, placement) => {
  expect(evaluate(over, placement).findings).toEqual([])
})

/** Between 8 and 32 pods, 13.4 on average. */
const scaled = (replicas: number): Partial<WorkloadFacts> => ({
  replicas,
  autoscaler: { kind: 'hpa', name: 'web', replicasMin: 8, replicasMax: 32, cpuTargetPercent: 60 },
  containers: [aContainer({ usage: aUsage({ replicasMean: 13.4 }) })],
})

test('a scaled workload counts with its average number of pods, so the figure is stable', () => {
  const [atPeak, atNight] = [evaluate(scaled(32)).findings[0], evaluate(scaled(8)).findings[0]]
  // Whole pods move: on average a third of a pod less than two thirds of 13.4.
  expect(atPeak?.title).toBe('Run about two thirds of the pods of web on spot nodes (8.6 of 13.4 on average)')
  expect(atPeak?.estimatedUsdPerMonth).toBeCloseTo((26.8 / 3 - 1 / 3) * podUsd * 0.6, 6)
  expect(atPeak?.costUsdPerMonth).toBeCloseTo(13.4 * podUsd, 6)
  expect(atNight).toMatchObject({ title: atPeak?.title, estimatedUsdPerMonth: atPeak?.estimatedUsdPerMonth })
})

test('a rejected recommendation stays rejected while an autoscaler adds pods and nodes', () => {
  const basis = evaluate(scaled(8), { spotDiscount: 0.64 }).findings[0]?.basis
  expect(basis).toBeDefined()
  expect(evaluate(scaled(32), { spotDiscount: 0.66 }).findings[0]?.basis).toBe(basis)
})

test('an init container with a larger request counts for the discount', () => {
  const containers = [aContainer(), aContainer({ name: 'warm', kind: 'init', cpuRequestMillicores: 1500 })]
  expect(evaluate({ containers }).findings[0]?.estimatedUsdPerMonth).toBeCloseTo(2 * (podUsd + 10) * 0.6, 6)
})

test('without a PodDisruptionBudget the risk is high, and the check does not pass', () => {
  const [bare] = evaluate().findings
  expect(bare?.risk).toBe('high')
  expect(bare?.checks).toContainEqual(expect.objectContaining({ found: 'none', passed: false }))
  expect(bare?.evidence.caveats.join(' ')).toMatch(/Without a PodDisruptionBudget.*Sessions/)
  const [guarded] = evaluate({ disruptionsAllowed: 1 }).findings
  expect(guarded?.risk).toBe('medium')
  expect(guarded?.checks).toContainEqual(expect.objectContaining({ found: '1 disruption allowed', passed: true }))
})

test.each([
  { name: 'Karpenter', cluster: {}, confidence: 'medium', isMade: false },
  { name: 'a spot node', cluster: { pools: [aPool({ scaler: 'none' })], nodes: [aNode({ isSpot: true })] }, confidence: 'medium', isMade: false }, // prettier-ignore
  { name: 'only an autoscaler', cluster: { pools: [aPool({ scaler: 'cluster-autoscaler' })] }, confidence: 'medium', isMade: true }, // prettier-ignore
  { name: 'nothing', cluster: { pools: [aPool({ scaler: 'none' })] }, confidence: 'low', isMade: true },
] as const)(
  'with $name in the cluster the text says whether a spot pool is needed first',
  ({ cluster, confidence, isMade }) => {
    const [finding] = evaluate({}, {}, cluster).findings
    expect(finding?.confidence).toBe(confidence)
    expect(finding?.change.summary.includes('Create a spot pool first.')).toBe(isMade)
  },
)

test('a workload with repeated restarts is withheld', () => {
  const containers = [aContainer({ usage: aUsage({ replicasMean: 3, restarts: 400 }) })]
  const { findings, withheld } = evaluate({ containers })
  expect(findings).toEqual([])
  expect(withheld).toMatchObject([{ reason: 'restarting', target: { kind: 'Deployment', name: 'web' } }])
})
