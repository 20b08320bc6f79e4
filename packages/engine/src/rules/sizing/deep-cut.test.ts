import { describe, expect, test } from 'vitest'
import { aContainer, aSize, aUsage, aWorkload, evaluateRule, someFacts } from '../builders.ts'
import { containerOverprovisioned } from '../catalogue/container-overprovisioned.ts'
import { databaseOf } from '../facts/databases.ts'
import type { ContainerFacts, WorkloadFacts } from '../facts/cluster-facts.ts'

type Case = { name: string; workload?: Partial<WorkloadFacts>; container?: Partial<ContainerFacts>; why: string }

const sensitive: Case[] = [
  { name: 'a StatefulSet', workload: { kind: 'StatefulSet', replicas: 3 }, why: 'the workload is a StatefulSet' },
  {
    name: 'a known database',
    container: { image: 'docker.io/bitnami/postgresql:16.2@sha256:0123' },
    why: 'the container runs a database (postgresql)',
  },
  {
    name: 'a PodDisruptionBudget without disruptions',
    workload: { disruptionsAllowed: 0 },
    why: 'its PodDisruptionBudget allows no disruption',
  },
  { name: 'a single pod', workload: { replicas: 1 }, why: 'the workload has a single pod' },
]

/** One core and one GiB are requested. */
function lower(millicores: number, { workload = {}, container: more = {} }: Partial<Case>) {
  const container = aContainer({ usage: aUsage(), decision: aSize(millicores, 900 * 1024), ...more })
  const facts = someFacts({ workloads: [aWorkload({ containers: [container], ...workload })] })
  return evaluateRule(containerOverprovisioned, facts).findings[0]
}

describe.each(sensitive)('$name', ({ workload, container, why }) => {
  const given = { ...(workload ? { workload } : {}), ...(container ? { container } : {}) }

  test('makes a cut above half at least medium, with the reason next to the risk', () => {
    const finding = lower(400, given)
    expect(finding?.risk).not.toBe('low')
    expect(finding?.riskReasons).toContain(`CPU request reduced by more than half; ${why}`)
    expect(finding?.evidence.backtest.find(({ who }) => who === 'proposed')?.risk).not.toBe('low')
  })

  test('does not change the risk of a smaller cut', () => {
    expect(lower(600, given)).toMatchObject({ risk: 'low', riskReasons: [] })
  })
})

test('a deep cut of a replicated, stateless workload keeps its low risk', () => {
  expect(lower(400, {})).toMatchObject({ risk: 'low', riskReasons: [] })
})

test.each([
  { image: 'postgres', database: 'postgres' },
  { image: 'registry.example:5000/data/mongo:7', database: 'mongo' },
  { image: 'quay.io/strimzi/kafka@sha256:ab', database: 'kafka' },
  { image: 'shop/redis-exporter:1', database: null },
  { image: undefined, database: null },
])('the image $image is $database', ({ image, database }) => {
  expect(databaseOf(image === undefined ? {} : { image })).toBe(database)
})
