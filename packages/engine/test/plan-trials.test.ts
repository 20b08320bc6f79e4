import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns, rounds } from '../../../test/rounds.ts'
import { packCluster } from '../src/packing/bankable-savings.ts'
import { listFeasible } from '../src/packing/find-node.ts'
import { hasFeasible, sampleBlocks } from '../src/packing/sample-blocks.ts'
import { snapshotState } from '../src/packing/snapshot-state.ts'
import { lift, makeState, put } from '../src/packing/state.ts'
import { goesSurely, removeNode } from '../src/plan/can-go.ts'
import { Changes } from '../src/plan/changes.ts'
import { drainWithAll } from '../src/plan/free-steps.ts'
import { findChanges } from '../src/plan/find-changes.ts'
import { openTrials, tryInTrials } from '../src/plan/trials.ts'
import { openWork, type Work } from '../src/plan/work.ts'
import { largePlanState } from './large-plan-state.ts'
import { randomPacking } from './random-packing.ts'

test('the sampled nodes of the whole cluster are the feasible nodes, with all kinds of constraints', () => {
  let refused = 0
  fc.assert(
    fc.property(randomPacking, ({ cluster }) => {
      const state = makeState(cluster)
      const except = new Uint8Array(state.model.nodes.length)
      for (let pod = 0; pod < state.model.pods.length; pod += 1) {
        const from = state.nodeOf[pod] ?? -1
        if (from >= 0) lift(state, pod)
        const expected = listFeasible(state, pod)
        const { nodes, count } = sampleBlocks(state, pod, { seed: 7, share: 1, except })
        expect([...nodes.slice(0, count)].sort((a, b) => a - b)).toEqual(expected)
        expect(hasFeasible(state, pod, except)).toBe(expected.length > 0)
        if (expected.length < state.model.nodes.length) refused += 1
        if (from >= 0) put(state, pod, from)
      }
    }),
    lawRuns(200),
  )
  expect(refused).toBeGreaterThan(20)
})

function open(nodes: number, seed: number): Work {
  const { cluster, items } = largePlanState(nodes, seed)
  const { state, fresh } = packCluster(cluster).simulation
  const changes = new Changes(state, items)
  const work = openWork(state, changes)
  work.trials = openTrials(fresh, state.model, { changes, made: [] })
  return work
}

const candidates = (work: Work) =>
  drainWithAll(work).drains.map(({ node, moves }) => ({ node, targets: [...new Set(moves.map(({ to }) => to))] }))

test('a step that a trial carries out again has the same result without a search, and a reverted step leaves nothing', () => {
  const work = open(30, 3)
  let carriedOut = 0
  for (const question of candidates(work).slice(0, 8)) {
    const changed = findChanges(work, question)
    if (!changed) continue
    const step = { changed, nodes: [question.node] }
    const states = () =>
      work.trials.map(({ state, changes }) => ({ ...snapshotState(state), made: changes.listMade() }))
    const before = states()
    for (const trial of work.trials) trial.results = new Map()
    const [first, second] = [{ placements: 1e6 }, { placements: 1e6 }]
    const undo = tryInTrials(work.trials, step, first) ?? expect.fail('a step of the plan failed')
    const after = states()
    undo()
    expect(states()).toEqual(before)
    const undoAgain = tryInTrials(work.trials, step, second) ?? expect.fail('a step of the plan failed')
    expect(states()).toEqual(after)
    expect(first.placements).toBeLessThan(second.placements)
    expect(second.placements).toBe(1e6)
    undoAgain()
    expect(states()).toEqual(before)
    carriedOut += 1
  }
  expect(carriedOut).toBeGreaterThan(2)
})

/** Whether the node is removable with these further changes. */
const goesWith = (work: Work, node: number, changed: readonly number[]) =>
  work.changes.with(changed, () => goesSurely(work, node, { changed }))

test('60 to 120 nodes: without any one change of its step, no node is removed', () => {
  const sizes = [60, 100, 60, 60, 90, 90, 120, 120].slice(0, rounds({ short: 2, full: 8 }))
  let [needed, removed] = [0, 0]
  for (const [index, nodes] of sizes.entries()) {
    const work = open(nodes, index + 1)
    for (const question of candidates(work)) {
      const { node } = question
      const found = findChanges(work, question) ?? []
      const without = (left: number) => found.filter((item) => item !== left)
      const needless = found.filter((left) => goesWith(work, node, without(left)))
      expect(needless).toEqual([])
      needed += found.length
      for (const item of found) work.changes.make(item)
      // Later nodes are searched as in a plan: with the earlier steps applied.
      if (removeNode(work, node, { changed: found })) removed += 1
      else for (const item of found.toReversed()) work.changes.unmake(item)
    }
  }
  expect(needed).toBeGreaterThan(20)
  expect(removed).toBeGreaterThan(10)
})
