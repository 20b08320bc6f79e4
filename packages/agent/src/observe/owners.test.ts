import { expect, test } from 'vitest'
import type { PodFacts } from '../kinds/pods.ts'
import { workloadFacts, type WorkloadKind } from '../kinds/workloads.ts'
import { Owners } from './owners.ts'

const aPod = (made: PodFacts['made'], more: Partial<PodFacts> = {}): PodFacts =>
  ({ name: 'pod', namespace: 'shop', nodeName: '', labels: {}, made, ...more }) as PodFacts

const reference = (apiVersion: string, kind: string, name: string) => ({
  apiVersion,
  kind,
  name,
  uid: `uid of ${name}`,
})

/** Controllers with kind, name and optional owner. */
function ownersOf(...made: [WorkloadKind, string, object?][]): Owners {
  const owners = new Owners()
  for (const [kind, name, more] of made) {
    const metadata = { uid: `uid of ${name}`, name, namespace: 'shop', ...more }
    const template = { spec: { containers: [{ name: 'app', resources: { requests: { cpu: '1' } } }] } }
    const facts = workloadFacts(kind, { metadata, spec: { template } }, { readHeaps: false })
    if (facts) owners.setWorkload(facts)
  }
  return owners
}

const template = (api_version: string) => ({ api_version, containers: [{ name: 'app', requests: ['cpu'] }] })

test('pod, ReplicaSet, Deployment', () => {
  const owners = ownersOf(['Deployment', 'web'])
  const pod = aPod({ owner: reference('apps/v1', 'ReplicaSet', 'web-abc') })
  expect(owners.find(pod)).toBeUndefined()
  owners.setReplicaSet({ uid: 'uid of web-abc', name: 'web-abc', owner: reference('apps/v1', 'Deployment', 'web') })
  expect(owners.find(pod)).toEqual({ kind: 'Deployment', name: 'web', template: template('apps/v1') })
})

test('pod, ReplicaSet, Rollout', () => {
  const owners = ownersOf(['Rollout', 'web'])
  const owner = reference('argoproj.io/v1alpha1', 'Rollout', 'web')
  owners.setReplicaSet({ uid: 'uid of web-abc', name: 'web-abc', owner })
  const found = owners.find(aPod({ owner: reference('apps/v1', 'ReplicaSet', 'web-abc') }))
  expect(found).toMatchObject({ kind: 'Rollout', name: 'web', template: { api_version: 'argoproj.io/v1alpha1' } })
})

test('the CronJob wins over its Job; a standalone Job has its name without the random suffix', () => {
  const ownerReferences = [reference('batch/v1', 'CronJob', 'nightly')]
  const owners = ownersOf(
    ['CronJob', 'nightly'],
    ['Job', 'nightly-29000000', { ownerReferences }],
    ['Job', 'import-x7k2p', { generateName: 'import-' }],
  )
  const of = (name: string) => owners.find(aPod({ owner: reference('batch/v1', 'Job', name) }))
  expect(of('nightly-29000000')).toMatchObject({ kind: 'CronJob', name: 'nightly' })
  expect(of('import-x7k2p')).toMatchObject({ kind: 'Job', name: 'import' })
})

test('the custom resource of an operator is the owner, and the workload keeps its kind', () => {
  const ownerReferences = [reference('monitoring.coreos.com/v1', 'Prometheus', 'main')]
  const owners = ownersOf(['StatefulSet', 'prometheus-main', { ownerReferences }])
  expect(owners.find(aPod({ owner: reference('apps/v1', 'StatefulSet', 'prometheus-main') }))).toEqual({
    kind: 'StatefulSet',
    name: 'prometheus-main',
    template: {
      ...template('apps/v1'),
      owner: { api_version: 'monitoring.coreos.com/v1', kind: 'Prometheus', name: 'main' },
    },
  })
})

test.each([
  ['static', aPod({ isStatic: true }, { name: 'etcd-node-1', nodeName: 'node-1' }), { kind: 'Node', name: 'etcd' }],
  ['bare', aPod({}, { name: 'shell' }), { kind: 'Pod', name: 'shell' }],
  ['generated', aPod({ generateName: 'runner-' }, { name: 'runner-8x7k2' }), { kind: 'Pod', name: 'runner' }],
  [
    'of a custom resource',
    aPod({ owner: reference('core.strimzi.io/v1', 'StrimziPodSet', 'kafka') }),
    { kind: 'StrimziPodSet', name: 'kafka' },
  ],
  [
    'of a workflow from a template',
    aPod(
      { owner: reference('argoproj.io/v1alpha1', 'Workflow', 'etl-x7k2p') },
      { labels: { 'workflows.argoproj.io/workflow-template': 'etl' } },
    ),
    { kind: 'WorkflowTemplate', name: 'etl' },
  ],
  [
    'of a workflow',
    aPod({ owner: reference('argoproj.io/v1alpha1', 'Workflow', 'etl-x7k2p') }),
    { kind: 'Workflow', name: 'etl' },
  ],
  [
    'of Spark',
    aPod({ owner: reference('v1', 'Pod', 'job-driver') }, { labels: { 'spark-app-name': 'report' } }),
    { kind: 'SparkApplication', name: 'report' },
  ],
])('a pod that is %s', (_name, pod, expected) => {
  expect(new Owners().find(pod)).toEqual(expected)
})

test.each([
  ['web-5d4f8', { 'pod-template-hash': '5d4f8' }, 'ReplicaSet', { kind: 'Deployment', name: 'web' }],
  ['web-5d4f8', { 'rollouts-pod-template-hash': '5d4f8' }, 'ReplicaSet', { kind: 'Rollout', name: 'web' }],
  ['web', {}, 'ReplicaSet', { kind: 'ReplicaSet', name: 'web' }],
  ['nightly-29000000', {}, 'Job', { kind: 'CronJob', name: 'nightly' }],
  ['import', {}, 'Job', { kind: 'Job', name: 'import' }],
  ['db', {}, 'StatefulSet', { kind: 'StatefulSet', name: 'db' }],
])('without owner references, %s with %j of a %s is guessed', (name, labels, kind, expected) => {
  expect(new Owners().guess(aPod({ owner: reference('apps/v1', kind, name) }, { labels }))).toEqual(expected)
})
