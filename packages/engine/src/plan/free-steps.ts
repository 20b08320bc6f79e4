import type { Decimal } from '../decimal.ts'
import { savesMoney } from '../packing/consolidate.ts'
import type { Drain } from '../packing/drain-node.ts'
import { undoDrains, type Drains } from '../packing/drain-nodes.ts'
import { drainSurely } from '../packing/sure-drains.ts'
import { canGo, removeNode } from './can-go.ts'
import { draftOf, usdOfNode, type Draft } from './draft.ts'
import { pointsOfStep } from './effort.ts'
import { findChanges, listNear, listPending } from './find-changes.ts'
import { commitDrain, itemsOf, type Work } from './work.ts'

/**
 * Up to this number, all candidates are compared before each step; above it, the candidate that moves the fewest pods
 * per dollar comes first.
 */
const COMPARED_MAX = 8
/** Number of further nodes that are tried after each step, because the same changes may free them too. */
const NEXT_TRIED_MAX = 12
const ROUNDS_MAX = 4
/** Up to this number of nodes, nodes that became removable by earlier steps are searched too. */
const NODES_FOR_ROUNDS = 1000

export type FreeSteps = { readonly drafts: readonly Draft[]; readonly kept: Drains['kept'] }

/**
 * Steps that remove nodes by changes to pods, highest savings per effort first. Packing finds the nodes that are
 * removable with all changes; each step uses a minimal set of changes.
 */
export function freeSteps(work: Work, first = drainWithAll(work)): FreeSteps {
  const steps: Step[] = []
  let kept: Drains['kept'] = new Map()
  const unsure = new Set(first.drains.flatMap(({ node }) => (canGo(work, node) ? [node] : [])))
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const found = round === 1 ? first : drainWithAll(work)
    kept = found.kept
    const drains = found.drains.filter(({ node }) => !unsure.has(node))
    if (drains.length === 0) break
    const before = steps.length
    const left = takeSteps(work, drains, steps)
    if (work.budget < 0 && left.length > 0) takeRest(work, left, drains, steps)
    const isLarge = work.state.model.nodes.length > NODES_FOR_ROUNDS
    if (work.budget < 0 || steps.length === before || (isLarge && left.length === 0)) break
  }
  return { drafts: steps.map(({ items, drains }) => draftFree(work, items, drains)), kept }
}

type Step = { readonly items: readonly number[]; readonly drains: Drain[] }

const draftFree = (work: Work, items: readonly number[], drains: readonly Drain[]): Draft =>
  draftOf(work, { kind: 'free', items: itemsOf(work, items), drains })

/** The nodes that are removable with all remaining changes. Does not change the state. */
export function drainWithAll(work: Work): Drains {
  const { state, changes, replaced } = work
  const nodes = [...state.gone.keys()].filter(
    (node) => state.gone[node] === 0 && !replaced.has(node) && savesMoney(state, node) && usdOfNode(state, node) > 0n,
  )
  return changes.with(listPending(work), () => {
    const found = drainSurely(state, nodes)
    undoDrains(state, found)
    return found
  })
}

/**
 * Price of the nodes that are removable with all changes. Nodes that are removable without changes are not credited
 * to a change.
 */
export const possibleUsd = (work: Work, { drains }: Drains): Decimal =>
  drains.reduce((sum, { node }) => (canGo(work, node) ? sum : sum + usdOfNode(work.state, node)), 0n)

type Candidate = { readonly node: number; readonly items: readonly number[]; readonly value: number }

/** Creates steps for these nodes, and returns the nodes without a step. */
function takeSteps(work: Work, drains: readonly Drain[], steps: Step[]): number[] {
  const targets = new Map(drains.map(({ node, moves }) => [node, [...new Set(moves.map(({ to }) => to))]]))
  const left: number[] = []
  let queue = drains.map(({ node }) => node)
  while (queue.length > 0 && work.budget >= 0) {
    const compared = queue.length <= COMPARED_MAX ? queue.length : 1
    if (compared < queue.length) work.bounds.add('few-candidates-compared')
    const some = queue.slice(0, compared).map((node) => weigh(work, node, targets.get(node) ?? []))
    const best = some.reduce((a, b) => ((b?.value ?? -1) > (a?.value ?? -1) ? b : a), undefined)
    const failed = new Set(queue.slice(0, compared).filter((_node, index) => some[index] === undefined))
    left.push(...failed)
    queue = queue.filter((node) => !failed.has(node) && node !== best?.node)
    if (!best) continue
    if (!commitStep(work, best, steps)) left.push(best.node)
    else queue = takeNext(work, queue, steps)
  }
  return [...left, ...queue]
}

function weigh(work: Work, node: number, targets: readonly number[]): Candidate | undefined {
  const items = findChanges(work, { node, targets })
  if (!items) return undefined
  const usd = Number(usdOfNode(work.state, node) / 10n ** 18n)
  return { node, items, value: items.length === 0 ? Infinity : usd / pointsOfStep(itemsOf(work, items)) }
}

function commitStep(work: Work, { node, items }: Candidate, steps: Step[]): boolean {
  for (const item of items) work.changes.make(item)
  const drain = removeNode(work, node)
  if (!drain) {
    for (const item of items.toReversed()) work.changes.unmake(item)
    return false
  }
  // Without its own change, the node is removable because of the earlier steps.
  if (items.length > 0) steps.push({ items, drains: [drain] })
  else steps.at(-1)?.drains.push(drain)
  return true
}

/** Nodes that are removable with the same changes belong to the same step. Returns the others. */
function takeNext(work: Work, queue: readonly number[], steps: Step[]): number[] {
  const gone = new Set(
    queue.slice(0, NEXT_TRIED_MAX).filter((node) => {
      const drain = removeNode(work, node)
      if (drain) steps.at(-1)?.drains.push(drain)
      return drain !== undefined
    }),
  )
  return queue.filter((node) => !gone.has(node))
}

/** One step for everything that the search did not reach: its set of changes is not minimal. */
function takeRest(work: Work, nodes: readonly number[], drains: readonly Drain[], steps: Step[]): void {
  const { state, changes } = work
  const wanted = new Set(nodes)
  const targets = drains.flatMap(({ node, moves }) => (wanted.has(node) ? moves.map(({ to }) => to) : []))
  const items = listNear(work, [...wanted, ...new Set(targets)])
  for (const item of items) changes.make(item)
  const found = drainSurely(state, nodes)
  if (found.drains.length === 0) {
    for (const item of items.toReversed()) changes.unmake(item)
    return
  }
  work.bounds.add('last-free-step-not-minimal')
  for (const drain of found.drains) commitDrain(work, drain)
  steps.push({ items, drains: [...found.drains] })
}
