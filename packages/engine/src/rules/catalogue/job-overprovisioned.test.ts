import { describe, expect, test } from 'vitest'
import { aContainer, aUsage, aWorkload, evaluateRule, someCpu, someFacts } from '../builders.ts'
import type { ContainerFacts, UsageFacts, WorkloadFacts } from '../facts/cluster-facts.ts'
import { jobOverprovisioned } from './job-overprovisioned.ts'

const MIB = 1024

type Case = { container?: Partial<ContainerFacts>; usage?: Partial<UsageFacts>; workload?: Partial<WorkloadFacts> }

/** Half a pod on average; no run used more than 200 millicores and 300 MiB, of a core and 1 GiB. */
function evaluate({ container = {}, usage = {}, workload = {} }: Case = {}) {
  const used = aUsage({
    runs: 12,
    replicasMean: 0.5,
    memoryMaxKib: 300 * MIB,
    cpu: someCpu([100]),
    startUp: { samples: 60, cpuMaxUnits: 2000, memoryMaxKib: 300 * MIB },
    ...usage,
  })
  const workloads = [
    aWorkload({ kind: 'CronJob', replicas: 0, containers: [aContainer({ usage: used, ...container })], ...workload }),
  ]
  return evaluateRule(jobOverprovisioned, someFacts({ workloads }))
}

test('a job requests a fifth more than the highest usage of any run, including start-up', () => {
  const { findings } = evaluate()
  expect(findings).toMatchObject([{ recommendedSpec: { cpuMillicores: 240, memoryKib: 360 * MIB }, risk: 'medium' }])
  expect(findings[0]?.estimatedUsdPerMonth).toBeCloseTo(0.5 * (760 * 0.02 + 664 * MIB * 0.000004), 6)
})

describe('nothing is found', () => {
  test.each<Case & { name: string }>([
    { name: 'for four runs', usage: { runs: 4 } },
    { name: 'for requests that are close enough', usage: { cpu: someCpu([700]), memoryMaxKib: 800 * MIB } },
    { name: 'after an OOM kill', container: { oomKills: 1 } },
    { name: 'if another controller manages the requests', container: { managedBy: 'Argo' } },
    { name: 'for Deployments', workload: { kind: 'Deployment', replicas: 1 } },
    { name: 'without usage', container: { usage: null } },
  ])('$name', (each) => {
    expect(evaluate(each).findings).toEqual([])
  })
})

test('a JVM keeps its memory request', () => {
  expect(evaluate({ workload: { labels: { 'plimsoll.dev/jvm': 'true' } } }).findings).toMatchObject([
    { recommendedSpec: { cpuMillicores: 240, memoryKib: 1024 * MIB } },
  ])
})

test('floors hold', () => {
  expect(evaluate({ workload: { annotations: { 'plimsoll.dev/min-cpu': '500m' } } }).findings).toMatchObject([
    { recommendedSpec: { cpuMillicores: 500 } },
  ])
})

test.each<Case & { name: string; reason: string }>([
  { name: 'without a price', workload: { price: null }, reason: 'no_price' },
  { name: 'that runs for minutes', usage: { replicasMean: 0.001 }, reason: 'saving_too_small' },
])('a job $name is withheld', ({ reason, ...each }) => {
  expect(evaluate(each)).toMatchObject({ findings: [], reasons: [reason] })
})
