import type { JointOutcome, PackingPod } from '@plimsoll/engine/packing'
import { expect, test } from 'vitest'
import { blockersOf, nodesOf } from './blockers-of.ts'

const aPod = (uid: string, workload: string, node: string) => ({ uid, workload, node }) as PackingPod

const pods = [aPod('w1', 'web', 'a'), aPod('w2', 'web', 'b'), aPod('d1', 'db', 'c'), aPod('x1', 'old', 'd')]

const annotated = { code: 'node-marked' } as const
const outcome: Pick<JointOutcome, 'kept' | 'byHand'> = {
  kept: ['c', 'b', 'a'].map((node) => ({
    ...{ node, pool: 'general', blocker: annotated },
    podsFitElsewhere: node === 'a',
  })),
  byHand: [{ node: 'd', pool: 'fixed', why: 'nobody-scales-the-pool', usdPerMonth: 0n }],
}

test('the concerned nodes are those that run a pod which a proposal changes or removes', () => {
  const resize = { id: '1', changes: [{ kind: 'resize' as const, workload: 'web', container: 'app', cpu: 1 }] }
  const removal = { id: '2', changes: [{ kind: 'remove' as const, pods: ['x1'] }] }
  expect([...nodesOf([resize], pods)]).toEqual(['a', 'b'])
  expect([...nodesOf([resize, removal], pods)]).toEqual(['a', 'b', 'd'])
  expect(nodesOf([], pods).size).toBe(0)
})

const selection = (concerned: string[], lifted: string[] = []) => ({
  concerned: new Set(concerned),
  lifted: new Set(lifted),
})

const why = 'An annotation on the node forbids its removal.'

test('blockers of other nodes are omitted, and nodes that can almost be removed come first', () => {
  expect(blockersOf(outcome, selection(['a', 'b']))).toEqual([`a: ${why}`, `b: ${why}`])
  expect(blockersOf(outcome, selection(['d']))).toEqual([
    'd would be empty, but pool fixed has no autoscaler: remove the node manually.',
  ])
  expect(blockersOf(outcome, selection([]))).toEqual([])
})

test('a node that stays after its blocker is lifted comes first', () => {
  expect(blockersOf(outcome, selection(['a'], ['c']))).toEqual([`c: ${why}`, `a: ${why}`])
})
