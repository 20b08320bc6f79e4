import { expect, test } from 'vitest'
import { aWorkload, sayOf, someFacts } from './builders.ts'
import type { WorkloadFacts } from './cluster-facts.ts'
import { labelOwnerMissing } from './label-owner-missing.ts'
import { NO_POLICIES, type Policies } from './policy.ts'

const say = (workloads: Partial<WorkloadFacts>[], policies: Policies = NO_POLICIES) =>
  sayOf(labelOwnerMissing, someFacts({ workloads: workloads.map(aWorkload), policies }))

test('one recommendation per namespace lists what names no owner, and what it asks for', () => {
  const { findings } = say([{ labels: {} }, { name: 'api', labels: { team: '' } }, { name: 'owned' }])
  expect(findings).toMatchObject([
    {
      target: { kind: 'Namespace', namespace: 'shop' },
      title: '2 workloads in shop name no owner',
      estimatedUsdPerMonth: 0,
      podName: '',
      // Two replicas of a core and a GiB, twice.
      evidence: { facts: { names: 'Deployment/api, Deployment/web', requested_usd_per_month: 96.777216 } },
    },
  ])
})

test('nothing is said where an owner is named, in any of the labels of the policy', () => {
  expect(say([{}]).findings).toEqual([])
  const policies = { cluster: { ownerLabels: ['cost-centre'] }, byNamespace: new Map() }
  expect(say([{ labels: { 'cost-centre': '12' } }], policies).findings).toEqual([])
  expect(say([{}], policies).findings).toHaveLength(1)
})

test('what does not run does not count', () => {
  expect(say([{ labels: {}, replicas: 0 }]).findings).toEqual([])
})

test('the system is left out', () => {
  expect(say([{ labels: {}, namespace: 'kube-system' }]).reasons).toEqual(['system_namespace'])
})
