import { bankableSavings } from '../testing/bankable-savings.ts'
import { expect, test } from 'vitest'
import { someCluster, someNode, somePod } from './builders.ts'
import type { PackingCluster, PackingNode, PackingPod, PodConstraints } from './cluster.ts'

const ZONE = 'topology.kubernetes.io/zone'
const HOST = 'kubernetes.io/hostname'
const ofWeb = { labels: { app: 'web' } }
const inZone = (zone: string) => ({ [ZONE]: zone })

/**
 * Node `a` holds one pod, `web-1`, and is the cheapest to drain: all other nodes are annotated to stay. Returns where
 * the pod goes, or its blocker.
 */
function drainA(
  web: Partial<PackingPod> & { constraints?: PodConstraints },
  others: (Partial<PackingNode> & { name: string; pods?: PackingPod[] })[],
  more: Partial<PackingCluster> & { labels?: Record<string, string> } = {},
) {
  const { labels = {}, ...rest } = more
  const cluster = someCluster({
    nodes: [someNode('a', { labels }), ...others.map((node) => someNode(node.name, { keep: true, ...node }))],
    pods: [
      somePod('web-1', { node: 'a', ...web }),
      ...others.flatMap(({ name, pods = [] }) => pods.map((pod) => ({ ...pod, node: name }))),
    ],
    ...rest,
  })
  const { present } = bankableSavings(cluster, [])
  const freed = present.freed.find(({ node }) => node === 'a')
  if (freed) return freed.moves[0]?.to
  const blocker = present.kept.find(({ node }) => node === 'a')?.blocker
  return blocker?.code === 'pod-does-not-fit' ? blocker.filter : blocker?.code
}

const ebs = (id: string) => ({ driver: 'ebs', id })
const gpuTaint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' } as const
const term = (key: string) => [{ topologyKey: key, selector: ofWeb }]

test.each<{ name: string; is: ReturnType<typeof drainA>; expected: string }>([
  { name: 'goes to the node with capacity', is: drainA({}, [{ name: 'b' }]), expected: 'b' },
  {
    name: 'goes to the emptier of two nodes',
    is: drainA({}, [{ name: 'b', pods: [somePod('x-1')] }, { name: 'c' }]),
    expected: 'c',
  },
  { name: 'goes to the first of equal nodes by name', is: drainA({}, [{ name: 'c' }, { name: 'b' }]), expected: 'b' },
  {
    name: 'needs cores',
    is: drainA({}, [{ name: 'b', pods: [somePod('x-1', { requests: { cores: 3.5 } })] }]),
    expected: 'insufficient-cpu',
  },
  {
    name: 'needs memory',
    is: drainA({}, [{ name: 'b', pods: [somePod('x-1', { requests: { gib: 15.5 } })] }]),
    expected: 'insufficient-memory',
  },
  {
    name: 'requests nothing and fits on a full node',
    is: drainA({ shape: { containers: [] } }, [{ name: 'b', pods: [somePod('x-1', { requests: { cores: 4 } })] }]),
    expected: 'b',
  },
  {
    name: 'needs a GPU',
    is: drainA({ extended: { 'nvidia.com/gpu': 1 } }, [{ name: 'b' }]),
    expected: 'insufficient-nvidia.com/gpu',
  },
  {
    name: 'finds a GPU',
    is: drainA({ extended: { 'nvidia.com/gpu': 1 } }, [
      { name: 'b' },
      { name: 'c', allocatable: { cpu: 4e6, memory: 2 ** 24, pods: 9, extended: { 'nvidia.com/gpu': 1 } } },
    ]),
    expected: 'c',
  },
  {
    name: 'needs ephemeral storage',
    is: drainA({ ephemeral: 2000 }, [
      { name: 'b', allocatable: { cpu: 4e6, memory: 2 ** 24, pods: 9, ephemeral: 1000 } },
    ]),
    expected: 'insufficient-ephemeral-storage',
  },
  {
    name: 'exceeds the maximum number of pods',
    is: drainA({}, [{ name: 'b', allocatable: { cpu: 4e6, memory: 2 ** 24, pods: 1 }, pods: [somePod('x-1')] }]),
    expected: 'max-pods',
  },
  { name: 'does not tolerate a taint', is: drainA({}, [{ name: 'b', taints: [gpuTaint] }]), expected: 'taint' },
  {
    name: 'does not tolerate a PreferNoSchedule taint',
    is: drainA({}, [{ name: 'b', taints: [{ ...gpuTaint, effect: 'PreferNoSchedule' }] }]),
    expected: 'b',
  },
  {
    name: 'does not tolerate a NoExecute taint',
    is: drainA({ constraints: { tolerations: [{ key: 'gpu', operator: 'Exists', effect: 'NoSchedule' }] } }, [
      { name: 'b', taints: [{ ...gpuTaint, effect: 'NoExecute' }] },
    ]),
    expected: 'taint',
  },
  {
    name: 'tolerates the value',
    is: drainA({ constraints: { tolerations: [{ key: 'gpu', value: 'yes' }] } }, [{ name: 'b', taints: [gpuTaint] }]),
    expected: 'b',
  },
  {
    name: 'tolerates another value',
    is: drainA({ constraints: { tolerations: [{ key: 'gpu', value: 'no' }] } }, [{ name: 'b', taints: [gpuTaint] }]),
    expected: 'taint',
  },
  {
    name: 'tolerates everything',
    is: drainA({ constraints: { tolerations: [{ operator: 'Exists' }] } }, [{ name: 'b', taints: [gpuTaint] }]),
    expected: 'b',
  },
  {
    name: 'selects a node by label',
    is: drainA({ constraints: { nodeSelector: { disk: 'ssd' } } }, [
      { name: 'b' },
      { name: 'c', labels: { disk: 'ssd' } },
    ]),
    expected: 'c',
  },
  {
    name: 'finds no node with the label',
    is: drainA({ constraints: { nodeSelector: { disk: 'ssd' } } }, [{ name: 'b', labels: { disk: 'hdd' } }]),
    expected: 'node-affinity',
  },
  {
    name: 'names its own node',
    is: drainA({ constraints: { nodeSelector: { [HOST]: 'a' } } }, [{ name: 'b' }]),
    expected: 'node-affinity',
  },
  {
    name: 'names another node',
    is: drainA(
      { constraints: { nodeAffinity: [{ fields: [{ key: 'metadata.name', operator: 'In', values: ['c'] }] }] } },
      [{ name: 'b' }, { name: 'c' }],
    ),
    expected: 'c',
  },
  {
    name: 'has a volume in its zone',
    is: drainA({ constraints: { volumeZones: [['z1']] } }, [
      { name: 'b', labels: inZone('z2') },
      { name: 'c', labels: inZone('z1') },
    ]),
    expected: 'c',
  },
  {
    name: 'has a volume in a zone without other nodes',
    is: drainA({ constraints: { volumeZones: [['z1']] } }, [{ name: 'b', labels: inZone('z2') }, { name: 'c' }]),
    expected: 'volume-zone',
  },
  {
    name: 'has a volume that no node can attach',
    is: drainA({ volumes: [ebs('own')] }, [
      { name: 'b', attachLimits: { ebs: 1 }, pods: [somePod('x-1', { volumes: [ebs('other')] })] },
      { name: 'c', attachLimits: { ebs: 0 } },
    ]),
    expected: 'volume-limit',
  },
  {
    name: 'has a volume that is already attached there',
    is: drainA({ volumes: [ebs('shared')] }, [
      { name: 'b', attachLimits: { ebs: 1 }, pods: [somePod('x-1', { volumes: [ebs('shared')] })] },
    ]),
    expected: 'b',
  },
  {
    name: 'has as many volumes as the node can attach, one of them shared by two pods',
    is: drainA({ volumes: [ebs('one'), ebs('two')] }, [
      { name: 'b', attachLimits: { ebs: 3 }, pods: ['x-1', 'x-2'].map((x) => somePod(x, { volumes: [ebs('three')] })) },
    ]),
    expected: 'b',
  },
  {
    name: 'has a volume of a driver without a limit',
    is: drainA({ volumes: [ebs('own')] }, [{ name: 'b', attachLimits: { disk: 0 } }]),
    expected: 'b',
  },
  {
    name: 'has no volume to attach to the full node',
    is: drainA({}, [
      { name: 'b', attachLimits: { ebs: 1 }, pods: [somePod('x-1', { volumes: [ebs('one'), ebs('two')] })] },
    ]),
    expected: 'b',
  },
  {
    name: 'needs a host port that is in use',
    is: drainA({ constraints: { hostPorts: [{ port: 80 }] } }, [
      { name: 'b', pods: [somePod('x-1', { constraints: { hostPorts: [{ port: 80, ip: '10.0.0.1' }] } })] },
    ]),
    expected: 'host-port',
  },
  {
    name: 'needs the same host port on another address and protocol',
    is: drainA(
      {
        constraints: {
          hostPorts: [
            { port: 80, ip: '10.0.0.2' },
            { port: 53, protocol: 'UDP' },
          ],
        },
      },
      [
        {
          name: 'b',
          pods: [somePod('x-1', { constraints: { hostPorts: [{ port: 80, ip: '10.0.0.1' }, { port: 53 }] } })],
        },
      ],
    ),
    expected: 'b',
  },
  {
    name: 'has anti-affinity to its own kind on the host',
    is: drainA({ constraints: { podAntiAffinity: term(HOST) } }, [
      { name: 'b', pods: [somePod('web-2')] },
      { name: 'c' },
    ]),
    expected: 'c',
  },
  {
    name: 'has anti-affinity to its own kind in the zone',
    is: drainA({ constraints: { podAntiAffinity: term(ZONE) } }, [
      { name: 'b', labels: inZone('z1'), pods: [somePod('web-2')] },
      { name: 'c', labels: inZone('z1') },
    ]),
    expected: 'pod-anti-affinity',
  },
  {
    name: 'is excluded by the anti-affinity of a running pod',
    is: drainA({}, [{ name: 'b', pods: [somePod('x-1', { constraints: { podAntiAffinity: term(HOST) } })] }]),
    expected: 'pod-anti-affinity',
  },
  {
    name: 'is not selected by a pod of another namespace',
    is: drainA({}, [
      { name: 'b', pods: [somePod('x-1', { namespace: 'lab', constraints: { podAntiAffinity: term(HOST) } })] },
    ]),
    expected: 'b',
  },
  {
    name: 'is selected by a pod with a namespace selector',
    is: drainA(
      {},
      [
        {
          name: 'b',
          pods: [
            somePod('x-1', {
              namespace: 'lab',
              constraints: {
                podAntiAffinity: [{ topologyKey: HOST, selector: ofWeb, namespaceSelector: { labels: { team: 'a' } } }],
              },
            }),
          ],
        },
      ],
      { namespaces: { shop: { team: 'a' }, lab: {} } },
    ),
    expected: 'pod-anti-affinity',
  },
  {
    name: 'needs a pod with affinity on its host',
    is: drainA({ constraints: { podAffinity: [{ topologyKey: HOST, selector: { labels: { app: 'cache' } } }] } }, [
      { name: 'b' },
      { name: 'c', pods: [somePod('cache-1')] },
    ]),
    expected: 'c',
  },
  {
    name: 'finds no pod for its affinity',
    is: drainA({ constraints: { podAffinity: [{ topologyKey: ZONE, selector: { labels: { app: 'cache' } } }] } }, [
      { name: 'b', labels: inZone('z1') },
      { name: 'c', labels: inZone('z2') },
      { name: 'd', labels: inZone('z2') },
    ]),
    expected: 'pod-affinity',
  },
  {
    name: 'is the first pod of its affinity group',
    is: drainA({ constraints: { podAffinity: term(ZONE) } }, [{ name: 'b' }, { name: 'c', labels: inZone('z1') }]),
    expected: 'c',
  },
  {
    name: 'would exceed maxSkew: 2 + 1 there, 1 in the other zone',
    is: drainA(
      { constraints: { spread: [{ topologyKey: ZONE, maxSkew: 1, selector: ofWeb }] } },
      [
        { name: 'b', labels: inZone('z1'), pods: [somePod('web-2'), somePod('web-3')] },
        { name: 'c', labels: inZone('z2'), pods: [somePod('web-4', { requests: { cores: 4 } })] },
      ],
      { labels: inZone('z2') },
    ),
    expected: 'insufficient-cpu',
  },
  {
    name: 'fits with a larger maxSkew',
    is: drainA(
      { constraints: { spread: [{ topologyKey: ZONE, maxSkew: 2, selector: ofWeb }] } },
      [
        { name: 'b', labels: inZone('z1'), pods: [somePod('web-2'), somePod('web-3')] },
        { name: 'c', labels: inZone('z2'), pods: [somePod('web-4', { requests: { cores: 4 } })] },
      ],
      { labels: inZone('z2') },
    ),
    expected: 'b',
  },
  {
    name: 'needs more zones than exist: 1 + 1 - 0',
    is: drainA(
      { constraints: { spread: [{ topologyKey: ZONE, maxSkew: 1, minDomains: 2, selector: ofWeb }] } },
      [
        { name: 'b', labels: inZone('z1'), pods: [somePod('web-2')] },
        { name: 'c', labels: inZone('z1') },
      ],
      { labels: inZone('z2') },
    ),
    expected: 'topology-spread',
  },
  {
    name: 'does not count zones that its node affinity excludes',
    is: drainA(
      {
        constraints: {
          nodeSelector: { disk: 'ssd' },
          spread: [{ topologyKey: ZONE, maxSkew: 1, selector: ofWeb }],
        },
      },
      [
        { name: 'b', labels: { ...inZone('z1'), disk: 'ssd' }, pods: [somePod('web-2')] },
        { name: 'c', labels: inZone('z2') },
        { name: 'd', labels: inZone('z2') },
      ],
    ),
    expected: 'b',
  },
  {
    name: 'counts tainted nodes as a domain by default',
    is: drainA({ constraints: { spread: [{ topologyKey: HOST, maxSkew: 1, selector: ofWeb }] } }, [
      { name: 'b', pods: [somePod('web-2')] },
      { name: 'c', taints: [gpuTaint] },
    ]),
    expected: 'topology-spread',
  },
  {
    name: 'does not count tainted nodes with nodeTaintsPolicy Honor',
    is: drainA(
      { constraints: { spread: [{ topologyKey: HOST, maxSkew: 1, selector: ofWeb, nodeTaintsPolicy: 'Honor' }] } },
      [
        { name: 'b', pods: [somePod('web-2')] },
        { name: 'c', taints: [gpuTaint] },
      ],
    ),
    expected: 'b',
  },
])('a pod $name', ({ is, expected }) => {
  expect(is).toBe(expected)
})

test.each<[operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt', values: string[], expected: string]>([
  ['In', ['8', '9'], 'eight'],
  ['NotIn', ['8'], 'none'],
  ['Exists', [], 'eight'],
  ['DoesNotExist', [], 'none'],
  ['Gt', ['7'], 'eight'],
  ['Gt', ['8'], 'node-affinity'],
  ['Lt', ['9'], 'eight'],
  ['Lt', ['x'], 'node-affinity'],
])('node affinity cpus %s %j leads to %s', (operator, values, expected) => {
  const nodeAffinity = [{ expressions: [{ key: 'cpus', operator, values }] }]
  const others = [{ name: 'eight', labels: { cpus: '8' } }, { name: 'none' }]
  expect(drainA({ constraints: { nodeAffinity } }, others)).toBe(expected)
})

test('node affinity terms are alternatives, and an empty term matches nothing', () => {
  const nodeAffinity = [{}, { expressions: [{ key: 'disk', operator: 'In' as const, values: ['ssd'] }] }]
  expect(drainA({ constraints: { nodeAffinity } }, [{ name: 'b' }, { name: 'c', labels: { disk: 'ssd' } }])).toBe('c')
  expect(drainA({ constraints: { nodeAffinity: [{}] } }, [{ name: 'b' }])).toBe('node-affinity')
})
