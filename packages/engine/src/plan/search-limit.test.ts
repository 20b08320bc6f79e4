import { expect, test } from 'vitest'
import { aResize, someCluster, someNode, somePod } from '../packing/builders.ts'
import type { PackingCluster } from '../packing/cluster.ts'
import { largestFirst } from '../packing/placing.ts'
import { anotherState, cordon, lift, makeState, put } from '../packing/state.ts'
import { itemOf } from './builders.ts'
import { Changes } from './changes.ts'
import { extendChanges } from './extend-changes.ts'
import { freeSteps } from './free-steps.ts'
import type { PlanItem } from './plan.ts'
import { openTrials } from './trials.ts'
import { openWork, type Work } from './work.ts'

function open(cluster: PackingCluster, items: readonly PlanItem[]): Work {
  const state = makeState(cluster)
  const changes = new Changes(state, items)
  const work = openWork(state, changes)
  work.trials = openTrials(() => anotherState(state), state.model, { changes, made: [] })
  return work
}

test('the search for changes in a trial uses up the placements of the search', () => {
  const nodes = ['a', 'b'].map((name) => someNode(name))
  const work = open(someCluster({ nodes, pods: [somePod('web-0', { node: 'b' })] }), [])
  // In the plan the node is empty. In the trial its pod fits on no other node.
  const { state, changes } = work.trials[0] ?? expect.fail('the plan has no trial')
  lift(state, 0)
  put(state, 0, 0)
  cordon(state, 1)
  work.trials = [{ state, changes, placing: largestFirst, results: new Map() }]
  const before = work.budget
  expect(extendChanges(work, { node: 0, targets: [1] }, { found: [], hard: [] })).toBeUndefined()
  expect(before - work.budget).toBe(1)
})

/** Full nodes: with lower requests, two of three nodes suffice. */
function fullNodes(count: number) {
  const names = Array.from({ length: count }, (_, index) => `node-${String(index).padStart(2, '0')}`)
  const pods = names.flatMap((node, index) =>
    [0, 1].map((each) => somePod(`w${index}-${each}`, { node, requests: { cores: 2 } })),
  )
  const items = names.map((_name, index) => itemOf(aResize(`lower-w${index}`, `w${index}`, { cores: 1 })))
  return { cluster: someCluster({ nodes: names.map((name) => someNode(name)), pods }), items }
}

test('a search without placements left ends, keeps the steps that it carried out, and says so', () => {
  const { cluster, items } = fullNodes(24)
  const whole = open(cluster, items)
  const all = freeSteps(whole)
  expect([...whole.bounds]).not.toContain('search-stopped')

  const limited = open(cluster, items)
  limited.placements = Math.ceil((limited.placements - whole.placements) / 4)
  const some = freeSteps(limited)
  expect([...limited.bounds]).toContain('search-stopped')
  expect(some.drafts.length).toBeGreaterThan(0)
  expect(some.drafts.length).toBeLessThan(all.drafts.length)
  const namesOf = ({ drafts }: typeof all) => drafts.map(({ nodes }) => nodes.map(({ name }) => name))
  expect(namesOf(some)).toEqual(namesOf(all).slice(0, some.drafts.length))
})

test('a search that ends early combines no further changes into one large step', () => {
  const { cluster, items } = fullNodes(24)
  const whole = open(cluster, items)
  const all = freeSteps(whole)
  const largest = Math.max(...all.drafts.map((draft) => draft.items.length))

  const limited = open(cluster, items)
  limited.budget = Math.ceil((limited.budget - whole.budget) / 2)
  const some = freeSteps(limited)
  expect([...limited.bounds]).toContain('search-stopped')
  expect(some.drafts.length).toBeLessThan(all.drafts.length)
  expect(Math.max(...some.drafts.map((draft) => draft.items.length))).toBeLessThanOrEqual(largest)
})
