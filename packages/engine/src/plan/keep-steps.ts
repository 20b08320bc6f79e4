import { findReplacement } from '../packing/replace-nodes.ts'
import type { Drain } from '../packing/drain-node.ts'
import { removeNodes } from './can-go.ts'
import { draftOf, type Draft } from './draft.ts'
import type { PreviousStep } from './plan.ts'
import { commitSwap } from './replace-steps.ts'
import { itemsOf, type Work } from './work.ts'

/**
 * Free steps of the previous plan that still apply: with the open members and all earlier steps, the existing nodes
 * of the step are removable. Applied changes are part of the requests already. If a rejected change is missing, the
 * nodes stay and the step is computed again after all valid steps.
 */
export function keepFreeSteps(work: Work, previous: readonly PreviousStep[], gone: readonly Drain[]): Draft[] {
  const numbers = new Map(work.state.model.nodes.map(({ name }, node) => [name, node]))
  const itemNumbers = new Map(work.changes.items.map(({ key }, number) => [key, number]))
  const goneAlready = new Map(gone.map((drain) => [drain.node, drain]))
  return previous.flatMap((step) => {
    if (step.kind !== 'free') return []
    const items = step.members.flatMap((key) => itemNumbers.get(key) ?? []).filter((item) => isOpen(work, item))
    const nodes = step.nodes.flatMap(({ name, replacedBy }) => {
      const node = numbers.get(name)
      return node === undefined ? [] : [{ node, replacedBy }]
    })
    if (nodes.length === 0) return []
    return keepStep(work, { id: step.id, items, nodes, goneAlready }) ?? []
  })
}

const isOpen = ({ changes }: Work, item: number) => changes.items[item]?.role === 'resize' && !changes.isMade(item)

type Standing = {
  readonly id: string
  readonly items: readonly number[]
  readonly nodes: readonly { readonly node: number; readonly replacedBy: string | null }[]
  /** Nodes that are now removable without a change, because changes of the step were applied. */
  readonly goneAlready: ReadonlyMap<number, Drain>
}

function keepStep(work: Work, { id, items, nodes, goneAlready }: Standing): Draft | undefined {
  const [first] = nodes
  if (first && first.replacedBy !== null) return keepSwap(work, id, items, first.node)
  const left = nodes.map(({ node }) => node).filter((node) => !goneAlready.has(node))
  for (const item of items) work.changes.make(item)
  const drains = removeNodes(work, left, items)
  if (!drains) {
    for (const item of items.toReversed()) work.changes.unmake(item)
    return undefined
  }
  const drainOf = new Map([...goneAlready, ...drains.map((drain) => [drain.node, drain] as const)])
  const own = nodes.flatMap(({ node }) => drainOf.get(node) ?? [])
  return draftOf(work, { kind: 'free', id, items: itemsOf(work, items), drains: own })
}

function keepSwap(work: Work, id: string, items: readonly number[], node: number): Draft | undefined {
  const { state, changes } = work
  if (state.gone[node] === 1 || work.replaced.has(node)) return undefined
  const now = findReplacement(state, node)?.saved ?? 0n
  const found = changes.with(items, () => findReplacement(state, node))
  return found && found.saved > now ? commitSwap(work, found, items, id) : undefined
}
