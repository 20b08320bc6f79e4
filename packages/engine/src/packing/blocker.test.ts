import { expect, test } from 'vitest'
import { blockerBasis, describeBlocker, type Blocker, type FilterCode } from './blocker.ts'

const pod = { namespace: 'shop', name: 'web-1' }

/** Databases hold these texts with rejected recommendations. A changed text would reopen them. */
const stored: readonly { blocker: Blocker; basis: string }[] = [
  { blocker: { code: 'node-marked' }, basis: 'node-marked The node itself is marked as not to be removed.' },
  {
    blocker: { code: 'pod-marked', pod, annotation: 'karpenter.sh/do-not-disrupt' },
    basis: 'pod-marked shop/web-1 is marked with karpenter.sh/do-not-disrupt=true.',
  },
  {
    blocker: { code: 'pod-marked', pod, annotation: 'cluster-autoscaler.kubernetes.io/safe-to-evict' },
    basis: 'pod-marked shop/web-1 is marked with cluster-autoscaler.kubernetes.io/safe-to-evict=false.',
  },
  {
    blocker: { code: 'bare-pod', pod },
    basis: 'bare-pod shop/web-1 has no controller that would start it elsewhere.',
  },
  { blocker: { code: 'local-storage', pod }, basis: "local-storage shop/web-1 keeps data on the node's disk." },
  {
    blocker: { code: 'system-pod', pod },
    basis: 'system-pod shop/web-1 is a system pod without a disruption budget.',
  },
  {
    blocker: { code: 'disruption-budget', pod, disruptionBudget: 'web', disruptionsAllowed: 0, pods: 1 },
    basis: 'disruption-budget shop/web-1: the budget web allows 0 disruptions, and 1 pod of it would have to leave.',
  },
  {
    blocker: { code: 'several-budgets', pod, disruptionBudgets: ['a', 'b'] },
    basis: 'several-budgets shop/web-1 is in several budgets (a, b), so it cannot be evicted.',
  },
]

test.each(stored)('the basis of $blocker.code equals the text in existing databases', ({ blocker, basis }) => {
  expect(blockerBasis(blocker)).toBe(basis)
})

test.each<[filter: FilterCode, words: string]>([
  ['insufficient-cpu', 'not enough CPU'],
  ['insufficient-memory', 'not enough memory'],
  ['insufficient-nvidia.com/gpu', 'not enough nvidia.com/gpu'],
  ['max-pods', 'maximum number of pods'],
])('the scheduler filter %s is shown as words', (filter, words) => {
  expect(describeBlocker({ code: 'pod-does-not-fit', pod, filter, nodes: 2 })).toBe(
    `shop/web-1 does not fit on any other node: ${words} on 2 nodes.`,
  )
})
