import { savesMoney } from '../packing/consolidate.ts'
import type { Drain } from '../packing/drain-node.ts'
import { drainNodes } from '../packing/drain-nodes.ts'
import { drainSurely } from '../packing/sure-drains.ts'
import { known } from '../packing/state.ts'
import { draftOf, usdOfNode, type Draft } from './draft.ts'
import type { PlanItem, PreviousStep } from './plan.ts'
import { groupByStep } from './protect-steps.ts'
import { commitDrain, isSmall, type Work } from './work.ts'

/** Removes unblocked nodes in this order, if that is still certain after all earlier steps of the plan. */
export function drainAgain(work: Work, nodes: readonly number[], happened: readonly Drain[] = []): readonly Drain[] {
  const first = nodes.filter((node) => work.state.gone[node] === 0)
  const { drains } = isSmall(work)
    ? drainSurely(work.state, [], { first, happened, detail: 'codes' })
    : drainNodes(work.state, first, { order: 'given', detail: 'codes' })
  for (const drain of drains) commitDrain(work, drain)
  return drains
}

type ByHand = {
  readonly items: readonly PlanItem[]
  readonly previous: readonly PreviousStep[]
  /** Drains by the autoscaler. */
  readonly scaled: readonly Drain[]
}

/**
 * Removes the nodes that a recommendation names for manual removal: their pools have no autoscaler. Nodes of the
 * previous plan come first.
 */
export function drainByHand(work: Work, { items, previous, scaled }: ByHand): readonly Drain[] {
  const { state } = work
  const numbersOf = (names: readonly string[]) => names.flatMap((name) => state.model.nodeNumbers.get(name) ?? [])
  const named = new Set(numbersOf(items.flatMap(({ nodes }) => nodes)))
  const steps = previous.filter(({ kind }) => kind === 'drain')
  const before = numbersOf(steps.flatMap(({ nodes }) => nodes.map(({ name }) => name)))
  const nodes = [...new Set([...before.filter((node) => named.has(node)), ...named])]
  return drainAgain(
    work,
    nodes.filter((node) => !savesMoney(state, node) && !known(state.model.nodes[node]).committed),
    scaled,
  )
}

/**
 * Nodes that can be removed with the current requests and that a recommendation names. Other nodes that the
 * autoscaler removes are removed for all later steps, and no step counts their price.
 */
export function drainSteps(
  work: Work,
  drains: readonly Drain[],
  items: readonly PlanItem[],
  previous: readonly PreviousStep[],
): Draft[] {
  const { nodes: all } = work.state.model
  const nameOf = ({ node }: Drain) => known(all[node]).name
  const priced = drains.filter(({ node }) => usdOfNode(work.state, node) > 0n)
  const goes = new Set(priced.map(nameOf))
  const going = items.filter(({ nodes }) => nodes.some((name) => goes.has(name)))
  return groupByStep('drain', going, previous).map(({ id, items: own }) => {
    const names = new Set(own.flatMap(({ nodes }) => nodes))
    const step = { kind: 'drain' as const, items: own, drains: priced.filter((drain) => names.has(nameOf(drain))) }
    return draftOf(work, id === undefined ? step : { ...step, id })
  })
}
