import { addNodes } from '../packing/added-nodes.ts'
import { settle } from '../packing/apply-proposals.ts'
import { monthly } from '../packing/bankable-savings.ts'
import type { Drain } from '../packing/drain-node.ts'
import { groupBy } from '../group-by.ts'
import { removeNode } from './can-go.ts'
import type { Changes } from './changes.ts'
import { draftOf, type Draft } from './draft.ts'
import type { PlanItem, PreviousStep } from './plan.ts'
import { itemsOf, type Work } from './work.ts'
import type { StepKind } from '../vocabulary/recommendations.ts'

/** Items by their previous step; new items form one step. */
export function groupByStep(
  kind: StepKind,
  items: readonly PlanItem[],
  previous: readonly PreviousStep[],
): { id?: string; items: PlanItem[] }[] {
  const steps = previous.filter((step) => step.kind === kind)
  const stepOf = new Map(steps.flatMap(({ id, members }) => members.map((key) => [key, id] as const)))
  const groups = groupBy(items, ({ key }) => stepOf.get(key))
  const fresh = groups.get(undefined)
  return [
    ...steps.flatMap(({ id }) => {
      const own = groups.get(id)
      return own ? [{ id, items: own }] : []
    }),
    ...(fresh ? [{ items: fresh }] : []),
  ]
}

/** Which items only raise requests for safety, and which raise one resource and lower another. */
export function splitRaising(changes: Changes): { protecting: number[]; reserving: number[] } {
  const raising = changes.items.flatMap((_item, number) => (changes.raises(number) ? [number] : []))
  return {
    protecting: changes.items.flatMap(({ role }, number) => (role === 'protect' ? [number] : [])),
    reserving: raising.filter((number) => changes.items[number]?.role !== 'protect'),
  }
}

/**
 * Raised requests come first: later steps remove only nodes that are not needed for them. Pods that no longer fit on
 * their node move. If no node has capacity, nodes are added, and the step costs their price.
 */
export function protectSteps(work: Work, items: readonly PlanItem[], previous: readonly PreviousStep[]): Draft[] {
  const { state, changes } = work
  const numberOf = new Map(changes.items.map(({ key }, number) => [key, number]))
  const makeRoom = (grown: readonly number[]) => {
    const homeless = settle(state, grown)
    const usdPerHour = addNodes(state, homeless).reduce((sum, each) => sum + each.usdPerHour, 0n)
    return { homeless, usdPerMonth: -monthly(usdPerHour) }
  }
  const drafts = groupByStep('protect', items, previous).map((group): Draft => {
    const numbers = group.items.flatMap(({ key }) => numberOf.get(key) ?? [])
    for (const number of numbers) changes.make(number)
    const { usdPerMonth } = makeRoom([...new Set(numbers.flatMap((number) => changes.podsOf(number)))])
    return { kind: 'protect', ...group, nodes: [], moves: [], usdPerMonth }
  })
  const { reserving } = splitRaising(changes)
  const { homeless, usdPerMonth } = makeRoom(changes.reserve(reserving))
  if (homeless.length === 0) return drafts
  // An item that needs another node costs money now, even if it lowers other requests.
  const without = new Set(homeless.map(({ pod }) => pod))
  const costly = reserving.filter((number) => changes.podsOf(number).some((pod) => without.has(pod)))
  for (const number of costly) changes.make(number)
  return [...drafts, { kind: 'protect', items: itemsOf(work, costly), nodes: [], moves: [], usdPerMonth }]
}

/** Objects that are deleted; if their pods end too, the nodes that become removable. */
export function removeSteps(work: Work, items: readonly PlanItem[], previous: readonly PreviousStep[]): Draft[] {
  const { state, changes } = work
  const numberOf = new Map(changes.items.map(({ key }, number) => [key, number]))
  return groupByStep('remove', items, previous).map((group): Draft => {
    const numbers = group.items.flatMap(({ key }) => numberOf.get(key) ?? [])
    const hosts = new Set(numbers.flatMap((number) => changes.podsOf(number).map((pod) => state.nodeOf[pod] ?? -1)))
    for (const number of numbers) changes.make(number)
    const drains = [...hosts].flatMap((node): Drain[] => (node < 0 ? [] : asList(removeNode(work, node))))
    const draft = draftOf(work, { kind: 'remove', items: group.items, drains, ...(group.id ? { id: group.id } : {}) })
    const own = group.items.reduce((sum, { ownUsdPerMonth }) => sum + ownUsdPerMonth, 0n)
    return { ...draft, usdPerMonth: draft.usdPerMonth + own }
  })
}

const asList = (drain: Drain | undefined): Drain[] => (drain ? [drain] : [])
