import { expect, test } from 'vitest'
import { aNodeClass } from '../../test/a-node-class.ts'
import { twoNodes } from '../../test/two-nodes.ts'
import { batchesOf, endSecond } from '../../test/small-world.ts'
import { loadCheckpoint, saveCheckpoint } from '../../test/checkpoint.ts'
import { emptyFoldState } from './fold-state.ts'
import { Fold } from './fold.ts'
import { storedLabels } from './stored-labels.ts'

test('labels that change with each rollout or run are not stored', () => {
  const own = { app: 'web', 'pod-template-hash': 'abc', 'batch.kubernetes.io/controller-uid': 'u', 'job-name': 'j-1' }
  expect(storedLabels(own, {})).toEqual({ app: 'web' })
})

test('labels that Kubernetes adds to namespaces and pods are not stored', () => {
  const own = { app: 'web', 'topology.kubernetes.io/region': 'eu-west-1', 'topology.kubernetes.io/zone': 'eu-west-1a' }
  expect(storedLabels(own, { 'kubernetes.io/metadata.name': 'shop' })).toEqual({ app: 'web' })
})

test('labels of the namespace belong to the set, and labels of the pod override them', () => {
  expect(storedLabels({ team: 'red' }, { team: 'blue', env: 'prod' })).toEqual({ team: 'red', env: 'prod' })
})

test('a label set has at most 64 labels, the first by name, and no label that Kubernetes would reject', () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_each, index) => [`key-${1000 + index}`, 'value']))
  const stored = storedLabels({ ...many, long: 'x'.repeat(64) }, {})
  expect(Object.keys(stored)).toHaveLength(64)
  expect(Object.keys(stored).at(-1)).toBe('key-1063')
})

test('labels of namespaces are stored in the hours, also after a checkpoint', () => {
  const namespaces = [{ name: 'shop', labels: { env: 'prod', team: 'ignored' } }]
  const pods = twoNodes.pods.map((pod) => ({ ...pod, labels: { ...pod.labels, 'pod-template-hash': 'abc' } }))
  let state = emptyFoldState(aNodeClass)
  for (const batch of batchesOf({ ...twoNodes, pods, namespaces }, { minutesPerBatch: 10 })) {
    new Fold(state).addBatch('a', batch)
    state = loadCheckpoint(saveCheckpoint(state), aNodeClass)
  }
  const [hour] = new Fold(state).takeEndedHours(endSecond)
  const rows = hour?.measured.workloads.map(({ namespace, labels }) => [namespace, labels])
  expect(rows).toEqual([
    ['shop', { env: 'prod', team: 'red' }],
    ['data', { team: 'blue' }],
  ])
})
