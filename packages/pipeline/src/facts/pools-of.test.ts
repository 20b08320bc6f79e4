import type { NodeVersion } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { around, aSnapshot, type Seen } from '../../test/a-snapshot.ts'
import { poolsOf, type PoolAnswers } from './pools-of.ts'

const nodeOf = (name: string, { pool, ...facts }: { pool: string } & Partial<NodeVersion>) => ({ name, pool, facts })
const gkePool = 'cloud.google.com/gke-nodepool'
const autoProvisioned = 'nap-e2-standard-4-1a2b3c4d'
const status = (...groups: { name: string; nodes_min: number; nodes_max: number }[]) => ({
  objects: [
    {
      name: 'cluster-autoscaler-status',
      namespace: 'kube-system',
      kind: 'cluster_autoscaler' as const,
      spec: { groups },
    },
  ],
})

function poolsIn(seen: Seen, answers: PoolAnswers = {}) {
  const state = aSnapshot(seen)
  return poolsOf(state, around(state).pricing, answers)
}

test.each([
  {
    name: 'AKS with the status of its managed autoscaler',
    seen: {
      nodes: [nodeOf('aks-work-12345678-vmss000000', { pool: 'work' })],
      ...status({ name: 'aks-work-12345678-vmss', nodes_min: 2, nodes_max: 9 }),
    },
    expected: { pool: { kind: 'cluster-autoscaler', nodesMin: 2 }, scaling: { known_from: 'autoscaler_status' } },
  },
  {
    name: 'GKE with one instance group in each zone',
    seen: {
      nodes: [nodeOf('gke-c-web-1a2b3c4d-aaaa', { pool: 'web' }), nodeOf('gke-c-web-5e6f7a8b-bbbb', { pool: 'web' })],
      ...status(
        { name: 'https://x/zones/a/instanceGroups/gke-c-web-1a2b3c4d-grp', nodes_min: 1, nodes_max: 3 },
        { name: 'https://x/zones/b/instanceGroups/gke-c-web-5e6f7a8b-grp', nodes_min: 1, nodes_max: 3 },
      ),
    },
    expected: { pool: { kind: 'cluster-autoscaler', nodesMin: 2 }, scaling: { known_from: 'autoscaler_status' } },
  },
  {
    name: 'GKE node auto-provisioning',
    seen: { nodes: [nodeOf('n1', { pool: autoProvisioned, labels: { [gkePool]: autoProvisioned } })] },
    expected: { pool: { kind: 'cluster-autoscaler', nodesMin: 0 }, scaling: { known_from: 'node_labels' } },
  },
  {
    name: 'another cloud with the name of a GKE pool',
    seen: {
      nodes: [nodeOf('n1', { pool: autoProvisioned, labels: { 'eks.amazonaws.com/nodegroup': autoProvisioned } })],
    },
    expected: { pool: { kind: 'unmanaged' }, scaling: { by: 'unknown', known_from: 'nothing' } },
  },
  {
    name: 'GKE with a name that starts like an auto-provisioned one',
    seen: { nodes: [nodeOf('n1', { pool: 'nap-room', labels: { [gkePool]: 'nap-room' } })] },
    expected: { pool: { kind: 'unmanaged' }, scaling: { by: 'unknown', known_from: 'nothing' } },
  },
  {
    name: 'EKS with a node that the autoscaler has tainted',
    seen: {
      nodes: [
        nodeOf('n1', {
          pool: 'web',
          taints: [{ key: 'DeletionCandidateOfClusterAutoscaler', effect: 'PreferNoSchedule' }],
        }),
      ],
    },
    expected: {
      pool: { kind: 'cluster-autoscaler' },
      scaling: { by: 'cluster_autoscaler', known_from: 'node_taints' },
    },
  },
  {
    name: 'a cluster in which a cluster-autoscaler runs',
    seen: {
      nodes: [nodeOf('n1', { pool: 'web' })],
      pods: [{ name: 'cluster-autoscaler-0', node: 0 }],
    },
    expected: {
      pool: { kind: 'cluster-autoscaler', nodesMin: 1 },
      scaling: { by: 'cluster_autoscaler', known_from: 'autoscaler_pod' },
    },
  },
  {
    name: 'a pool that the running cluster-autoscaler does not report',
    seen: {
      nodes: [nodeOf('n1', { pool: 'web' })],
      pods: [{ name: 'cluster-autoscaler-0', node: 0 }],
      ...status({ name: 'batch', nodes_min: 0, nodes_max: 3 }),
    },
    expected: { pool: { kind: 'unmanaged' }, scaling: { by: 'unknown', known_from: 'nothing' } },
  },
  {
    name: 'Karpenter by its label alone',
    seen: { nodes: [nodeOf('n1', { pool: 'spot', labels: { 'karpenter.sh/nodepool': 'spot' } })] },
    expected: { pool: { kind: 'karpenter' }, scaling: { by: 'karpenter', known_from: 'node_labels' } },
  },
  {
    name: 'no information',
    seen: { nodes: [nodeOf('n1', { pool: 'web' })] },
    expected: { pool: { kind: 'unmanaged' }, scaling: { by: 'unknown', known_from: 'nothing' } },
  },
])('a pool of $name', ({ seen, expected }) => {
  expect(poolsIn(seen)).toMatchObject([expected])
})

test('the answer of a user takes precedence', () => {
  const nodes = [nodeOf('n1', { pool: 'web', labels: { 'karpenter.sh/nodepool': 'web' } })]
  expect(poolsIn({ nodes }, { web: 'manual' })).toMatchObject([
    { pool: { kind: 'unmanaged' }, scaling: { by: 'nobody', known_from: 'answer' } },
  ])
  expect(poolsIn({ nodes }, { web: 'automatic' })).toMatchObject([
    { pool: { kind: 'cluster-autoscaler', nodesMin: 1 }, scaling: { known_from: 'answer' } },
  ])
})
