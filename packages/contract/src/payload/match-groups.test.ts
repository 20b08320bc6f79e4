import { expect, test } from 'vitest'
import { matchGroups } from './match-groups.ts'

const uuid = '6ac5b0a1-3d2c-4f1e-9b7a-0c1d2e3f4a5b'
const gke = (pool: string) =>
  `https://www.googleapis.com/compute/v1/projects/p/zones/europe-west1-b/instanceGroups/gke-shop-${pool}-1a2b3c4d-grp`

test.each([
  { cloud: 'GKE', group: gke('default'), pool: 'default', node: 'gke-shop-default-1a2b3c4d-x7k2', isOwn: true },
  {
    cloud: 'GKE, longer pool',
    group: gke('default'),
    pool: 'default-2',
    node: 'gke-shop-default-2-9f8e7d6c-x7k2',
    isOwn: false,
  },
  { cloud: 'AKS', group: 'aks-work-12345678-vmss', pool: 'work', node: 'aks-work-12345678-vmss00000a', isOwn: true },
  {
    cloud: 'AKS, other pool',
    group: 'aks-work-12345678-vmss',
    pool: 'work2',
    node: 'aks-work2-12345678-vmss00000a',
    isOwn: false,
  },
  {
    cloud: 'AKS, longer suffix',
    group: 'aks-work-12345678-vmss',
    pool: 'work',
    node: 'aks-work-12345678-vmss00000ab',
    isOwn: false,
  },
  { cloud: 'EKS', group: `eks-web-${uuid}`, pool: 'web', node: 'ip-10-0-0-1.ec2.internal', isOwn: true },
  {
    cloud: 'EKS, longer pool',
    group: `eks-web-2-${uuid}`,
    pool: 'web',
    node: 'ip-10-0-0-1.ec2.internal',
    isOwn: false,
  },
  { cloud: 'AKS on Windows', group: 'akswin', pool: 'win', node: 'akswin00000a', isOwn: true },
  { cloud: 'AKS on Windows, other pool', group: 'akswin', pool: 'win2', node: 'akswin2000000', isOwn: false },
  {
    cloud: 'Google Cloud without GKE',
    group: 'https://x/zones/a/instanceGroups/worker',
    pool: 'w',
    node: 'worker-x7k2',
    isOwn: true,
  },
  {
    cloud: 'Google Cloud without GKE, longer name',
    group: 'https://x/zones/a/instanceGroups/worker',
    pool: 'big',
    node: 'workerbig',
    isOwn: false,
  },
  { cloud: 'another kind, longer name', group: 'worker', pool: 'big', node: 'workerbig', isOwn: false },
  { cloud: 'another kind, six more letters', group: 'worker', pool: 'big', node: 'workerbigger', isOwn: false },
  { cloud: 'named alike', group: 'pool-a', pool: 'pool-a', node: 'n1', isOwn: true },
  { cloud: 'no pool label', group: 'eks--', pool: '', node: 'n1', isOwn: false },
])('a group of $cloud: $isOwn', ({ group, pool, node, isOwn }) => {
  const groups = [{ name: group, nodes_min: 1, nodes_max: 3 }]
  expect(matchGroups(groups, { pool, nodes: [node] })).toEqual(isOwn ? groups : [])
})
