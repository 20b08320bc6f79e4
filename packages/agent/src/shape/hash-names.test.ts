import { matchGroups } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { noFacts } from '../facts.ts'
import { agentFacts } from '../run/agent-facts.ts'
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
  'acme-',
]

function secretPods() {
  const [pod] = scriptedObserver().living(START).pods
  if (!pod) throw new Error('the scripted cluster has pods')
  return [
    {
      ...pod,
      workloadName: 'checkout',
      labels: {
        'acme.example/tier': 'tier-gold',
        'batch.kubernetes.io/job-name': 'acme-job',
        'topology.kubernetes.io/zone': 'eu-west-1a',
      },
      shape: {
        ...pod.shape,
        scheduling: {
          tolerations: [{ key: 'dedicated', value: 'acme-team' }],
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

/** Realistic labels: user-defined names behind prefixes of Kubernetes and of clouds. */
function secretSurroundings() {
  const { nodes, namespaces } = scriptedObserver().living(START)
  const nodeLabels = {
    'kubernetes.io/arch': 'arm64',
    'kubernetes.io/hostname': 'acme-host',
    'karpenter.sh/nodepool': 'acme-pool',
    'eks.amazonaws.com/nodegroup': 'acme-group',
    'cloud.google.com/gke-nodepool': 'acme-pool',
    'kubernetes.azure.com/agentpool': 'acme-pool',
    'karpenter.sh/capacity-type': 'spot',
  }
  const taints = [{ key: 'dedicated', value: 'acme-team', effect: 'NoSchedule' as const }]
  return {
    namespaces: namespaces.map((each) => ({ ...each, labels: { 'kubernetes.io/metadata.name': 'shop' } })),
    nodes: nodes.map((each) => ({ ...each, labels: nodeLabels, taints })),
    volumes: [
      {
        ref: 11,
        uid: 'volume-11',
        from: START,
        name: 'pvc-11',
        namespace: 'shop',
        claim: 'checkout',
        storageClass: 'acme-fast',
        diskType: 'gp3',
        driver: 'ebs.csi.aws.com',
        zone: 'eu-west-1a',
        sizeKib: 1024,
        phase: 'bound' as const,
        mountedPodRefs: [],
      },
    ],
  }
}

test('user-defined names do not leave the cluster, and Kubernetes terms do', () => {
  const observer = hashedObserver(scriptedObserver(), hasher('key'))
  const sent = JSON.stringify([
    observer.living(START),
    hashAll({ ...noFacts(1), ...secretSurroundings(), pods: secretPods(), objects: objects() }, hasher('key')),
  ])
  for (const word of secretWords) expect(sent).not.toContain(word)
  for (const word of ['Deployment', 'm6i.xlarge', 'eu-west-1a', 'arm64', 'spot', 'gp3', 'aws://'])
    expect(sent).toContain(word)
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

test('equal names have equal hashes, and another key gives other hashes', () => {
  const hash = hasher('key')
  const [pod] = hashAll({ ...noFacts(1), pods: secretPods() }, hash).pods
  expect(pod?.namespace).toBe(hash('shop'))
  expect(pod?.shape.scheduling?.pod_anti_affinity?.[0]?.namespaces).toEqual([hash('shop')])
  expect(pod?.shape.scheduling?.node_selector?.['acme.example/tier']).toBe(pod?.labels['acme.example/tier'])
  const { nodes, namespaces } = hashAll({ ...noFacts(1), ...secretSurroundings() }, hash)
  expect(nodes[0]?.taints?.[0]?.value).toBe(pod?.shape.scheduling?.tolerations?.[0]?.value)
  expect(namespaces[0]?.labels['kubernetes.io/metadata.name']).toBe(hash('shop'))
  expect(hasher('other')('shop')).not.toBe(hash('shop'))
  expect([hash('kube-system'), hash('default'), hash('')]).toEqual(['kube-system', 'default', ''])
})

test('node groups of the autoscaler still match their pools, and their names do not leave the cluster', () => {
  const [node] = scriptedObserver().living(START).nodes
  if (!node) throw new Error('the scripted cluster has nodes')
  const nodes = [
    { ...node, name: 'aks-acmeweb-12345678-vmss00000a', pool: 'acmeweb' },
    { ...node, name: 'gke-acme-shop-web-1a2b3c4d-x7k2', pool: 'web' },
    { ...node, name: 'ip-10-0-0-1.ec2.internal', pool: 'acme-batch' },
  ]
  const groupNames = [
    'aks-acmeweb-12345678-vmss',
    'https://x/projects/acme/zones/a/instanceGroups/gke-acme-shop-web-1a2b3c4d-grp',
    'eks-acme-batch-6ac5b0a1-3d2c-4f1e-9b7a-0c1d2e3f4a5b',
    'aks-acmenone-12345678-vmss',
  ]
  const status = {
    ...{ ref: 10, uid: 'object-10', from: START, name: 'cluster-autoscaler-status', namespace: 'kube-system' },
    kind: 'cluster_autoscaler' as const,
    spec: { groups: groupNames.map((name) => ({ name, nodes_min: 1, nodes_max: 3 })) },
  }
  const hash = hasher('key')
  const observer = hashedObserver(
    {
      ...scriptedObserver(),
      living: () => ({ ...scriptedObserver().living(START), nodes, objects: [status] }),
      takeMinute: () => ({ ...noFacts(1), objects: [status] }),
    },
    hash,
  )
  const living = observer.living(START)
  expect(JSON.stringify(living)).not.toContain('acme')
  for (const { objects } of [living, observer.takeMinute(1)]) {
    const groups = objects.flatMap((each) => (each.kind === 'cluster_autoscaler' ? each.spec.groups : []))
    const matched = living.nodes.map(({ pool, name }) => matchGroups(groups, { pool, nodes: [name] }))
    const names = matched.map((own) => own.map(({ name }) => name))
    expect(names).toEqual([[hash('acmeweb')], [hash('web')], [hash('acme-batch')]])
    expect(groups).toHaveLength(4)
  }
})

test('a new image is still detected', () => {
  const imagesOf = (image: string) => {
    const withImage = objects().map((object) => ({
      ...object,
      spec: { ...object.spec, containers: { checkout: { image } } },
    }))
    return hashAll({ ...noFacts(1), objects: withImage }, hasher('key')).objects.flatMap(({ spec }) =>
      Object.values(spec.containers).map((each) => each.image),
    )
  }
  expect(imagesOf('registry.internal/checkout:1')).toEqual([hasher('key')('registry.internal/checkout:1')])
  expect(imagesOf('registry.internal/checkout:2')).not.toEqual(imagesOf('registry.internal/checkout:1'))
})

test('pods still share their shape, and the original objects are not changed', () => {
  const before = scriptedObserver().living(START)
  const [first, second] = hashAll(before, hasher('key')).pods
  expect(first?.shape).toBe(second?.shape)
  expect(before.pods[0]?.name).toBe('web-a')
})

test('conditions state the subject and the next step, without external texts', () => {
  const ours = { kind: 'pods', status: 'failing' as const, reason: 'Failing', message: 'Pods cannot be watched.' }
  const plain = { ...scriptedObserver(), conditions: () => [{ ...ours, detail: 'connect 10.0.0.7 node-1' }] }
  expect(agentFacts(plain).conditions).toEqual([{ ...ours, message: `${ours.message} (connect 10.0.0.7 node-1)` }])
  expect(agentFacts(hashedObserver(plain, hasher('key'))).conditions).toEqual([ours])
})
