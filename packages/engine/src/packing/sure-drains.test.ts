import { bankableSavings } from '../testing/bankable-savings.ts'
import { expect, test } from 'vitest'
import { packCluster } from './bankable-savings.ts'
import { describeBlocker } from './blocker.ts'
import { karpenter, capacity, someCluster, someNode, somePod } from './builders.ts'
import type { PackingPool } from './cluster.ts'
import { decimal } from '../decimal.ts'

/** Node `a` holds pods of 3 cores and 1 core; `b` has 3 cores free and `c` has `coresLeft`. `b` and `c` must stay. */
function presentWith(coresLeft: number, pools?: readonly PackingPool[]) {
  const cluster = someCluster({
    ...(pools ? { pools } : {}),
    nodes: [someNode('a'), someNode('b', { keep: true }), someNode('c', { keep: true })],
    pods: [
      somePod('big-1', { node: 'a', requests: { cores: 3 } }),
      somePod('small-1', { node: 'a', requests: { cores: 1 } }),
      somePod('other-1', { node: 'b', requests: { cores: 1 } }),
      somePod('more-1', { node: 'c', requests: { cores: 4 - coresLeft } }),
    ],
  })
  return bankableSavings(cluster, []).present
}

test('a node is not counted if its pods fit in one order and not in another', () => {
  // If the small pod comes first, it takes the emptier node, and the big pod fits nowhere.
  const { freed, kept, usdPerMonth } = presentWith(1)
  expect(freed).toEqual([])
  expect(usdPerMonth).toBe(0n)
  const blocker = kept.find(({ node }) => node === 'a')?.blocker
  expect(blocker).toMatchObject({ code: 'pod-may-not-fit', pod: { name: 'big-1' } })
  expect(blocker && describeBlocker(blocker)).toBe(
    'shop/big-1 may not fit on another node, depending on where the scheduler places other pods first.',
  )
})

test('a node is counted if its pods fit in every order', () => {
  expect(presentWith(4).freed).toMatchObject([{ node: 'a' }])
})

test('Karpenter replaces a node that may not be drainable with a cheaper one', () => {
  const types = [{ name: 'half', usdPerHour: decimal('0.5'), allocatable: capacity({ cores: 4, gib: 8 }), labels: {} }]
  const pool = { ...karpenter, types } as PackingPool
  expect(presentWith(1, [pool])).toMatchObject({ freed: [], replaced: [{ node: 'a', type: 'half' }] })
})

test('a node for manual removal is not named if pods of removed nodes may take its capacity', () => {
  const cluster = someCluster({
    nodes: [
      someNode('a'),
      someNode('by-hand', { pool: 'pets' }),
      someNode('b', { keep: true }),
      someNode('c', { keep: true }),
    ],
    pods: [
      somePod('small-1', { node: 'a', requests: { cores: 0.5 } }),
      somePod('big-1', { node: 'by-hand', requests: { cores: 4 } }),
      // The small pod moves to c, which has more free capacity. On b it would leave too little for the big pod.
      somePod('memory-1', { node: 'b', requests: { cores: 0, gib: 12 } }),
      somePod('cores-1', { node: 'c', requests: { cores: 1, gib: 0 } }),
    ],
  })
  const { freed, byHand, kept } = bankableSavings(cluster, []).present
  expect(freed).toMatchObject([{ node: 'a' }])
  expect(byHand).toEqual([])
  expect(kept.find(({ node }) => node === 'by-hand')?.blocker).toMatchObject({ code: 'pod-may-not-fit' })
})

test('the state is restored after trying other placements', () => {
  const pods = [somePod('web-1', { node: 'a' }), somePod('db-1', { node: 'by-hand', requests: { cores: 2 } })]
  const nodes = [someNode('a'), someNode('by-hand', { pool: 'pets' }), someNode('b', { keep: true })]
  const { joint, present } = packCluster(someCluster({ nodes, pods }))
  expect(present).toMatchObject({ freed: [{ node: 'a' }], byHand: [{ node: 'by-hand' }] })
  expect(joint([])).toMatchObject({ freed: [], usdPerMonth: 0n })
})
