import { BatchWriter, type ObjectVersion } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { loadCheckpoint, saveCheckpoint } from '../../test/checkpoint.ts'
import { Fold } from './fold.ts'
import { emptyFoldState, type FoldState } from './fold-state.ts'

const agent = { version: '1', kubernetes_version: 'v1.33.0', usage_source: 'none' as const }
const classify = () => {
  throw new Error('there are no nodes')
}

const aDisruptionBudget = (ref: number, from: number, disruptionsAllowed: number): ObjectVersion => ({
  ref,
  uid: `uid-${ref}`,
  from,
  name: `budget-${ref}`,
  namespace: 'shop',
  kind: 'budget',
  spec: { selector: {}, disruptions_allowed: disruptionsAllowed },
})

type SentBatch = {
  at: number
  objects?: ObjectVersion[]
  ends?: { ref: number; at: number }[]
  snapshot?: boolean
  watches?: string[]
}

function folded(...sent: SentBatch[]): FoldState {
  let state = emptyFoldState(classify)
  for (const { at, objects = [], ends = [], snapshot, watches = ['budget'] } of sent) {
    const writer = new BatchWriter()
    objects.forEach((each) => writer.addObject(each))
    ends.forEach((each) => writer.addEnd(each))
    const part = snapshot ? { id: `s${at}`, part: 1, parts: 1, observed_at: at } : undefined
    new Fold(state).addBatch('epoch', writer.finish({ ...agent, watches }, at, part))
    // A process that takes over here has the same state.
    state = loadCheckpoint(saveCheckpoint(state), classify)
  }
  return state
}

const living = (state: FoldState, second: number) =>
  state.objects.living('budget', second).map(({ name, spec }) => [name, spec.disruptions_allowed])

test('the newest version counts, in any order of arrival, and survives a checkpoint', () => {
  const first = { at: 100, objects: [aDisruptionBudget(1, 100, 1)] }
  const second = { at: 200, objects: [aDisruptionBudget(1, 200, 0)] }
  expect(living(folded(first, second), 200)).toEqual([['budget-1', 0]])
  expect(living(folded(second, first), 200)).toEqual([['budget-1', 0]])
})

test('an object that has ended, or is missing from a complete snapshot, is gone', () => {
  const all = { at: 100, objects: [aDisruptionBudget(1, 50, 1), aDisruptionBudget(2, 50, 1)] }
  expect(living(folded(all, { at: 150, ends: [{ ref: 1, at: 140 }] }), 150)).toEqual([['budget-2', 1]])
  expect(living(folded(all, { at: 200, objects: [aDisruptionBudget(1, 50, 1)], snapshot: true }), 200)).toEqual([
    ['budget-1', 1],
  ])
})

test('an object of a kind that the agent can no longer read stays until a snapshot of this kind omits it', () => {
  const known = { at: 100, objects: [aDisruptionBudget(1, 50, 1)] }
  const forbidden = { at: 200, snapshot: true, watches: [] }
  expect(living(folded(known, forbidden), 200)).toEqual([['budget-1', 1]])
  expect(living(folded(known, forbidden, { at: 300, snapshot: true }), 300)).toEqual([])
})

test('a version newer than a snapshot that does not list the object counts', () => {
  const snapshot = { at: 200, snapshot: true }
  const younger = { at: 210, objects: [aDisruptionBudget(1, 205, 1)] }
  expect(living(folded({ at: 100, objects: [aDisruptionBudget(1, 50, 1)] }, snapshot, younger), 210)).toEqual([
    ['budget-1', 1],
  ])
})

test('the watched kinds survive a checkpoint', () => {
  expect(folded({ at: 100 }).agent?.watches).toEqual(['budget'])
})
