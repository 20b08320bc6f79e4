import type { Decimal } from '../decimal.ts'
import { savesMoney } from '../packing/consolidate.ts'
import type { Drain } from '../packing/drain-node.ts'
import { drainNodes, undoDrains, type Drains } from '../packing/drain-nodes.ts'
import { canGo, removeCheckedNode, removeNode } from './can-go.ts'
import { draftOf, usdOfNode, type Draft } from './draft.ts'
import { pointsOfItems } from './effort.ts'
import { findChanges, listPending } from './find-changes.ts'
import { hasEffortLeft, itemsOf, type Work } from './work.ts'

/**
 * Up to this number, all candidates are compared before each step; above it, the candidate that moves the fewest pods
 * per dollar comes first.
 */
const COMPARED_MAX = 8
/** Number of further nodes that are tried after each step, because the same changes may free them too. */
const NEXT_TRIED_MAX = 8
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
  for (let round = 1; round <= ROUNDS_MAX; round += 1) {
    const found = round === 1 ? first : drainWithAll(work)
    kept = found.kept
    if (found.drains.length === 0) break
    const before = steps.length
    const left = takeSteps(work, found.drains, steps)
    if (!hasEffortLeft(work)) work.bounds.add('search-stopped')
    const isLarge = work.state.model.nodes.length > NODES_FOR_ROUNDS
    if (!hasEffortLeft(work) || steps.length === before || (isLarge && left.length === 0)) break
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
    const found = drainNodes(state, nodes, { detail: 'codes' })
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
  const failed: number[] = []
  // Nodes that need no change. They join the next step if they are still removable then.
  let unchanged: number[] = []
  let queue = drains.map(({ node }) => node)
  while (queue.length > 0 && hasEffortLeft(work)) {
    const compared = queue.slice(0, queue.length <= COMPARED_MAX ? queue.length : 1)
    if (compared.length < queue.length) work.bounds.add('few-candidates-compared')
    const candidates: Candidate[] = []
    for (const node of compared) {
      const items = findChanges(work, { node, targets: targets.get(node) ?? [] })
      if (!items) failed.push(node)
      else if (items.length === 0) unchanged.push(node)
      else candidates.push({ node, items, value: valueOf(work, node, items) })
    }
    const best = candidates.reduce<Candidate | undefined>((a, b) => (a && a.value >= b.value ? a : b), undefined)
    const isOpen = new Set(candidates.map(({ node }) => node).filter((node) => node !== best?.node))
    queue = queue.filter((node, index) => index >= compared.length || isOpen.has(node))
    if (!best) continue
    if (commitStep(work, best, steps)) {
      queue = takeNext(work, [...unchanged, ...queue], steps)
      unchanged = []
    } else failed.push(best.node)
  }
  return [...failed, ...unchanged, ...queue]
}

/** Savings per effort. */
const valueOf = (work: Work, node: number, items: readonly number[]) =>
  Number(usdOfNode(work.state, node) / 10n ** 18n) / pointsOfItems(itemsOf(work, items))

function commitStep(work: Work, { node, items }: Candidate, steps: Step[]): boolean {
  for (const item of items) work.changes.make(item)
  const drain = removeCheckedNode(work, node, items)
  if (drain) steps.push({ items, drains: [drain] })
  else for (const item of items.toReversed()) work.changes.unmake(item)
  return drain !== undefined
}

/** Nodes that are removable with the same changes belong to the same step. Returns the others. */
function takeNext(work: Work, queue: readonly number[], steps: readonly Step[]): number[] {
  const step = steps.at(-1)
  if (!step) return [...queue]
  const gone = new Set(
    queue.slice(0, NEXT_TRIED_MAX).filter((node) => {
      const drain = removeNode(work, node, { changed: step.items })
      if (drain) step.drains.push(drain)
      return drain !== undefined
    }),
  )
  return queue.filter((node) => !gone.has(node))
}
