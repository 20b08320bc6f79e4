import { expect, test } from 'vitest'
import { noFacts } from '../facts.ts'
import { scriptedObserver, START } from '../../test/scripted-observer.ts'
import { hashAll, hashedObserver, hasher } from './hash-names.ts'

const secretWords = [
  'shop',
  'web-a',
  'checkout',
  'tier-gold',
  'i-0123456789',
  'general',
  '"name":"node-1"',
  'registry.internal',
]

function secretPods() {
  const [pod] = scriptedObserver().living(START).pods
  if (!pod) throw new Error('the scripted cluster has pods')
  return [
    {
      ...pod,
      workloadName: 'checkout',
      labels: { 'acme.example/tier': 'tier-gold', 'topology.kubernetes.io/zone': 'eu-west-1a' },
      shape: {
        ...pod.shape,
        scheduling: {
          node_selector: { 'acme.example/tier': 'tier-gold', 'kubernetes.io/arch': 'arm64' },
          pod_anti_affinity: [
            {
              topology_key: 'kubernetes.io/hostname',
              namespaces: ['shop'],
              selector: { expressions: [{ key: 'app', operator: 'In' as const, values: ['checkout'] }] },
            },
          ],
        },
      },
    },
  ]
}

test('no name that people gave leaves the cluster, and what Kubernetes calls things does', () => {
  const observer = hashedObserver(scriptedObserver(), hasher('key'))
  const told = JSON.stringify([
    observer.living(START),
    hashAll({ ...noFacts(1), pods: secretPods(), objects: objects() }, hasher('key')),
  ])
  for (const word of secretWords) expect(told).not.toContain(word)
  for (const word of ['Deployment', 'm6i.xlarge', 'eu-west-1a', 'arm64', 'aws://']) expect(told).toContain(word)
})

const objects = () => [
  {
    ref: 9,
    uid: 'object-9',
    from: START,
    name: 'checkout',
    namespace: 'shop',
    kind: 'workload' as const,
    spec: {
      workload_kind: 'Deployment',
      labels: { app: 'checkout' },
      annotations: { 'plimsoll.dev/owner': 'tier-gold' },
      containers: { checkout: { image: 'registry.internal/checkout:1', heap_max: 1024 } },
    },
  },
]

test('the same name has the same hash wherever it stands, with another key another one', () => {
  const hash = hasher('key')
  const [pod] = hashAll({ ...noFacts(1), pods: secretPods() }, hash).pods
  expect(pod?.namespace).toBe(hash('shop'))
  expect(pod?.shape.scheduling?.pod_anti_affinity?.[0]?.namespaces).toEqual([hash('shop')])
  expect(pod?.shape.scheduling?.node_selector?.['acme.example/tier']).toBe(pod?.labels['acme.example/tier'])
  expect(hasher('other')('shop')).not.toBe(hash('shop'))
  expect([hash('kube-system'), hash('default'), hash('')]).toEqual(['kube-system', 'default', ''])
})

test('pods that share a shape go on sharing it, and nothing is changed where it came from', () => {
  const before = scriptedObserver().living(START)
  const [first, second] = hashAll(before, hasher('key')).pods
  expect(first?.shape).toBe(second?.shape)
  expect(before.pods[0]?.name).toBe('web-a')
})
