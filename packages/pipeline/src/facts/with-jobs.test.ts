import { expect, test } from 'vitest'
import type { ClusterFacts } from '@plimsoll/engine/rules'
import { around, aSnapshot } from '../../test/a-snapshot.ts'
import { factsOf } from './facts-of.ts'
import { packSnapshot } from './pack-snapshot.ts'
import { withJobs } from './with-jobs.ts'

const job = (namespace: string) => ({
  ...{ namespace, workload_kind: 'CronJob', workload_name: 'export', container: 'app', container_kind: 'app' as const },
  ...{ cpu_request: '100', memory_request: '1024', cpu_limit: null, memory_limit: null },
})

test('a job between two runs has the labels of its own namespace only', () => {
  const state = aSnapshot({ nodes: [{ name: 'a' }] })
  const given = around(state)
  const facts = factsOf(state, given, packSnapshot(state, given))
  const labelsIn = (namespace: string) => workloadIn(withJobs(facts, [job(namespace)]), namespace)?.labels
  expect(labelsIn('shop')).toEqual({ team: 'red' })
  expect(labelsIn('elsewhere')).toEqual({})
})

test('a CronJob between two runs is managed by the operator that owns its requests', () => {
  const containers = { app: { request_managers: ['helm', 'backup-operator'] } }
  const spec = { workload_kind: 'CronJob', containers }
  const state = aSnapshot({
    nodes: [{ name: 'a' }],
    objects: [{ name: 'export', namespace: 'shop', kind: 'workload', spec }],
  })
  const given = around(state)
  const facts = factsOf(state, given, packSnapshot(state, given))
  expect(workloadIn(withJobs(facts, [job('shop')]), 'shop')?.containers[0]?.managedBy).toBe('backup-operator')
})

const workloadIn = ({ workloads }: ClusterFacts, namespace: string) =>
  workloads.find((each) => each.namespace === namespace)
