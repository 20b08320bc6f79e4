import { monthly } from '../packing/bankable-savings.ts'
import type { Kept } from '../packing/drain-nodes.ts'
import { findReplacement, type Replacement } from '../packing/replace-nodes.ts'
import { stepNode, type Draft } from './draft.ts'
import { listNear } from './find-changes.ts'
import { quickXplain } from './quick-xplain.ts'
import { commitReplacement, itemsOf, rehearseStep, type Work } from './work.ts'

const STAYS: ReadonlySet<string> = new Set<Kept['blocker']['code']>(['pod-does-not-fit', 'pod-may-not-fit'])

/** Steps after which Karpenter replaces a remaining node with a cheaper one, because its pods request less. */
export function replaceSteps(work: Work, kept: ReadonlyMap<number, Kept>): Draft[] {
  return [...kept].flatMap(([node, { blocker }]) => {
    if (work.state.gone[node] === 1 || work.replaced.has(node) || !STAYS.has(blocker.code)) return []
    return replaceStep(work, node) ?? []
  })
}

function replaceStep(work: Work, node: number): Draft | undefined {
  const { state, changes } = work
  const items = listNear(work, [node])
  const best = changes.with(items, () => findReplacement(state, node))
  if (!best || best.saved <= savedNow(work, node)) return undefined
  const chosen = changes.trySets((choose) =>
    quickXplain(items, (some) => {
      choose(some)
      return (findReplacement(state, node)?.saved ?? 0n) >= best.saved
    }),
  )
  return chosen && chosen.length > 0 ? commitSwap(work, best, chosen) : undefined
}

/**
 * Savings by Karpenter with the current requests are not part of the step: a recommendation to switch the instance
 * type counts them.
 */
const savedNow = ({ state }: Work, node: number) => findReplacement(state, node)?.saved ?? 0n

export function commitSwap(
  work: Work,
  { node, type, saved }: Replacement,
  items: readonly number[],
  id?: string,
): Draft | undefined {
  const savedBefore = savedNow(work, node)
  const usdPerMonth = monthly(saved - savedBefore)
  if (!rehearseStep(work, { changed: items, nodes: [node], isReplaced: true })) return undefined
  for (const item of items) work.changes.make(item)
  commitReplacement(work, node, savedBefore)
  const replaced = { ...stepNode(work.state, node), usdPerMonth, replacedBy: type }
  const step = { kind: 'free' as const, items: itemsOf(work, items), nodes: [replaced], moves: [], usdPerMonth }
  return id === undefined ? step : { ...step, id }
}
