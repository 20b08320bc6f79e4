import { expect, test } from 'vitest'
import { clusterConditions, type ConditionFacts } from './cluster-conditions.ts'

const now = new Date('2026-03-01T12:00:00Z')
const later = new Date('2026-03-01T13:00:00Z')
const good: ConditionFacts = {
  agent: { version: '1', kubernetes_version: '1.33', usage_source: 'kubelet' },
  quarantined: 0,
  nodes: { total: 3, unpriced: 0, estimated: 0 },
  unpricedCloudResources: [],
  identity: { ownUid: 'own', foreignUid: null, foreignUidAt: null },
  otherWorkloads: 0,
}

test('a healthy cluster has only good conditions', () => {
  expect(clusterConditions(good, [], now).every(({ ok }) => ok)).toBe(true)
})

const withCondition = (kind: string, status: 'absent' | 'forbidden' | 'failing') => ({
  ...good,
  agent: {
    version: '1',
    kubernetes_version: '1.33',
    usage_source: 'kubelet' as const,
    conditions: [{ kind, status, reason: 'x', message: 'y' }],
  },
})

test('a rejected login of the agent has its own reason, before missing permissions', () => {
  const conditions = [
    { kind: 'services', status: 'forbidden' as const, reason: 'Forbidden', message: 'x' },
    { kind: 'api_server', status: 'failing' as const, reason: 'Unauthenticated', message: 'y' },
  ]
  const facts = {
    ...good,
    agent: { version: '1', kubernetes_version: '1', usage_source: 'kubelet' as const, conditions },
  }
  expect(clusterConditions(facts, [], now).filter(({ ok }) => !ok)).toMatchObject([
    { type: 'agent', reason: 'unauthenticated' },
  ])
})

test('a resource that the cluster lacks is not an agent error', () => {
  expect(clusterConditions(withCondition('rollouts', 'absent'), [], now).every(({ ok }) => ok)).toBe(true)
})

test.each([
  ['agent', 'forbidden', withCondition('services', 'forbidden')],
  ['agent', 'lost', withCondition('log', 'failing')],
  ['usage', 'no_source', { ...good, agent: undefined }],
  ['data', 'quarantined', { ...good, quarantined: 2 }],
  ['identity', 'identity_mismatch', { ...good, identity: { ownUid: 'own', foreignUid: 'other', foreignUidAt: now } }],
  ['identity', 'already_connected', { ...good, identity: { ownUid: null, foreignUid: 'other', foreignUidAt: now } }],
  ['workloads', 'too_many', { ...good, otherWorkloads: 7 }],
  ['prices', 'unpriced', { ...good, nodes: { total: 3, unpriced: 1, estimated: 0 } }],
])('%s is not healthy: %s', (type, reason, facts) => {
  expect(clusterConditions(facts, [], now).filter(({ ok }) => !ok)).toMatchObject([{ type, reason }])
})

test('if volumes or the control plane have no price, prices are not reported as complete', () => {
  const [prices] = clusterConditions({ ...good, unpricedCloudResources: ['volume', 'control_plane'] }, [], now).filter(
    ({ type }) => type === 'prices',
  )
  expect(prices).toMatchObject({
    reason: 'nodes_listed',
    message: 'All nodes have a list price. Not priced: some volumes, the control plane.',
  })
})

test('a condition keeps its start time, and a changed one gets a new one', () => {
  const before = clusterConditions(good, [], now)
  const after = clusterConditions({ ...good, quarantined: 1 }, before, later)
  expect(after.map(({ type, since }) => [type, since])).toEqual([
    ['usage', now.toISOString()],
    ['data', later.toISOString()],
    ['prices', now.toISOString()],
  ])
})
