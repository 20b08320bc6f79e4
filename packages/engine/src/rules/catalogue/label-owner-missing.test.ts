import { describe, expect, test } from 'vitest'
import { aCronJob, aWorkload, evaluateRule, someFacts, NO_POLICIES } from '../builders.ts'
import type { WorkloadFacts } from '../facts/cluster-facts.ts'
import { labelOwnerMissing } from './label-owner-missing.ts'
import type { CronJobFacts } from '../facts/object-facts.ts'
import { type Policies } from '../facts/policy.ts'

const evaluate = (workloads: Partial<WorkloadFacts>[], policies: Policies = NO_POLICIES) =>
  evaluateRule(labelOwnerMissing, someFacts({ workloads: workloads.map(aWorkload), policies }))

test('one recommendation per namespace lists workloads without an owner, with their requests', () => {
  const { findings } = evaluate([{ labels: {} }, { name: 'api', labels: { team: '' } }, { name: 'owned' }])
  expect(findings).toMatchObject([
    {
      target: { kind: 'Namespace', namespace: 'shop' },
      title: 'Add an owner label to 2 workloads in shop',
      estimatedUsdPerMonth: 0,
      podName: '',
      // Two replicas of a core and a GiB, twice.
      evidence: { facts: { names: 'Deployment/api, Deployment/web', requested_usd_per_month: 96.777216 } },
    },
  ])
})

test('nothing is found if one of the labels of the policy names an owner', () => {
  expect(evaluate([{}]).findings).toEqual([])
  const policies = { cluster: { ownerLabels: ['cost-centre'] }, byNamespace: new Map() }
  expect(evaluate([{ labels: { 'cost-centre': '12' } }], policies).findings).toEqual([])
  expect(evaluate([{}], policies).findings).toHaveLength(1)
})

test('a workload without running pods does not count', () => {
  expect(evaluate([{ labels: {}, replicas: 0 }]).findings).toEqual([])
})

describe('a CronJob', () => {
  const owned = aWorkload({ name: 'owned' })
  const evaluateLabels = (workloads: WorkloadFacts[], job: Partial<CronJobFacts>) =>
    evaluateRule(labelOwnerMissing, someFacts({ workloads, cronJobs: [aCronJob(job)] }))
  const run = aWorkload({ kind: 'CronJob', name: 'export', labels: {}, replicas: 1 })

  test('between two runs is reported as during a run', () => {
    const [running, resting] = [evaluateLabels([owned, run], {}), evaluateLabels([owned], {})]
    expect(resting.findings).toHaveLength(1)
    expect(resting.findings[0]?.change).toEqual(running.findings[0]?.change)
    expect(resting.findings[0]?.basis).toBe(running.findings[0]?.basis)
  })

  test.each([{ labels: { team: 'red' } }, { podLabels: { team: 'red' } }, { isSuspended: true }])(
    'is not reported if it or its pods name an owner, or it never runs: %o',
    (job) => {
      expect(evaluateLabels([owned], job)).toMatchObject({ findings: [], reasons: [] })
    },
  )

  test('that is known only by its runs does not count as done between them', () => {
    const workloads = [owned, { ...run, replicas: 0 }]
    const facts = someFacts({ workloads })
    const without = { ...facts, known: new Set([...facts.known].filter((fact) => fact !== 'controllers')) }
    expect(evaluateRule(labelOwnerMissing, without)).toMatchObject({ findings: [], reasons: ['too_little_history'] })
  })

  test('that is known only by its runs is not reported if its namespace names an owner', () => {
    const facts = someFacts({ workloads: [owned, { ...run, replicas: 0, labels: { team: 'red' } }] })
    const without = { ...facts, known: new Set([...facts.known].filter((fact) => fact !== 'controllers')) }
    expect(evaluateRule(labelOwnerMissing, without)).toMatchObject({ findings: [], reasons: [] })
  })

  test('without a known pod is not analyzed', () => {
    expect(evaluateLabels([owned], { podLabels: null })).toMatchObject({
      findings: [],
      reasons: ['too_little_history'],
    })
    const other = aWorkload({ name: 'api', labels: {} })
    expect(evaluateLabels([other], { podLabels: null }).findings).toMatchObject([{ basis: 'Deployment/api' }])
  })
})

test('system namespaces are omitted', () => {
  expect(evaluate([{ labels: {}, namespace: 'kube-system' }]).reasons).toEqual(['system_namespace'])
})
