import { groupBy } from '../group-by.ts'
import type { Decimal } from '../decimal.ts'
import { sumUsd, type Draft } from './draft.ts'
import { effortOf, riskOf } from './effort.ts'
import type { Plan, PlanBound, PlanInput, PlanItem, PlanStep, PreviousStep } from './plan.ts'
import { groupByStep } from './protect-steps.ts'
import { sharesOf } from './shares.ts'
import { titleOf } from './titles.ts'
import { STEP_KINDS } from '../vocabulary/recommendations.ts'

type Found = {
  readonly bounds: readonly PlanBound[]
  readonly drained: Plan['drained']
  /** The number of pods that an item restarts. */
  readonly podsOf: (item: PlanItem) => number
  /** The number of pods on these nodes that move if the nodes are replaced. */
  readonly podsOn: (nodes: readonly string[]) => number
}

/** Adds the steps without packing, and gives each step its ID, title, savings and position. */
export function finishPlan(packed: readonly Draft[], input: PlanInput, found: Found): Plan {
  const { bounds, drained, podsOf, podsOn } = found
  const { items, previous = [] } = input
  const fresh = new Map(items.map((item) => [item.key, item]))
  const current = packed.map((draft) => ({ ...draft, items: draft.items.map((item) => fresh.get(item.key) ?? item) }))
  const drafts = [...current, ...ownDrafts(current, items, previous)]
  const byKind = groupBy(drafts, ({ kind }) => kind)
  const ordered = STEP_KINDS.flatMap((kind) => byKind.get(kind) ?? [])
  const idOf = chooseIds(ordered, previous, input.newId)
  let runRate = input.runRateUsdPerMonth
  const steps = ordered.map((draft, index): PlanStep => {
    const before = runRate
    runRate = before === null ? null : before - draft.usdPerMonth
    const id = idOf[index] ?? ''
    return {
      id,
      title: titleOf(draft, previous.find((step) => step.id === id)?.title), // prettier-ignore
      shares: stoodShares({ ...draft, id }, previous) ?? sharesOf(draft),
      kind: draft.kind,
      members: draft.items.map(({ key }) => key),
      nodes: draft.nodes,
      moves: draft.moves,
      usdPerMonth: draft.usdPerMonth,
      runRateBeforeUsdPerMonth: before,
      runRateAfterUsdPerMonth: runRate,
      capacityUsdPerMonth: sumEstimates(draft.items),
      effort: effortOf(draft.items, {
        podsRestarted: draft.items.reduce((sum, item) => sum + podsOf(item), 0),
        podsMoved: countMoved(draft, podsOn),
      }),
      risk: riskOf(draft.items),
    }
  })
  // Few placements limit the certainty of the steps, not the search for them.
  const isComplete = bounds.every((bound) => bound === 'few-placements-tried')
  return { steps, usdPerMonth: sumUsd(steps), isComplete, bounds, drained }
}

/** Changes that save by themselves, and the rest. A switch that saves nothing after the other steps is part of the rest. */
function ownDrafts(packed: readonly Draft[], items: readonly PlanItem[], previous: readonly PreviousStep[]): Draft[] {
  const taken = new Set(packed.flatMap((draft) => draft.items.map(({ key }) => key)))
  const left = items
    .filter(({ key }) => !taken.has(key))
    .map((item) => (item.role === 'switch' ? { ...item, ownUsdPerMonth: 0n } : item))
  const isOwn = ({ role, ownUsdPerMonth, changes }: PlanItem) =>
    role === 'remove' && ownUsdPerMonth > 0n && changes.length === 0
  const removed = left.filter(isOwn)
  const others = left.filter((item) => !isOwn(item))
  const ofItems =
    (kind: Draft['kind']) =>
    (group: { id?: string; items: PlanItem[] }): Draft => ({
      kind,
      ...group,
      nodes: [],
      moves: [],
      usdPerMonth: kind === 'rest' ? 0n : group.items.reduce((sum, { ownUsdPerMonth }) => sum + ownUsdPerMonth, 0n),
    })
  return [
    ...groupByStep('remove', removed, previous).map(ofItems('remove')),
    ...(others.length > 0 ? [ofItems('rest')({ items: others })] : []),
  ]
}

/**
 * A step without an ID takes over the ID of a previous step of its kind with one of its nodes, or with one of its
 * recommendations.
 */
function chooseIds(drafts: readonly Draft[], previous: readonly PreviousStep[], newId: () => string): string[] {
  const used = new Set(drafts.flatMap(({ id }) => id ?? []))
  const given = new Set<string>()
  return drafts.map((draft) => {
    // Two steps can follow from one previous step; the first keeps the ID.
    if (draft.id !== undefined && !given.has(draft.id)) {
      given.add(draft.id)
      return draft.id
    }
    const open = previous.filter(({ id, kind }) => kind === draft.kind && !used.has(id))
    const names = new Set(draft.nodes.map(({ name }) => name))
    const keys = new Set(draft.items.map(({ key }) => key))
    const same =
      open.find(({ nodes }) => nodes.some(({ name }) => names.has(name))) ??
      open.find(({ members }) => draft.kind === 'rest' || members.some((key) => keys.has(key)))
    const id = same?.id ?? newId()
    used.add(id)
    return id
  })
}

/** The shares of an unchanged step stay, even if an estimate changes by cents. */
function stoodShares(step: Draft & { readonly id: string }, previous: readonly PreviousStep[]) {
  const before = previous.find(({ id }) => id === step.id)
  const keys = new Set(step.items.map(({ key }) => key))
  const isSame =
    before?.kind === step.kind &&
    before.usdPerMonth === step.usdPerMonth &&
    before.members.length === keys.size &&
    before.members.every((key) => keys.has(key))
  return isSame ? before.shares : undefined
}

/** A recommendation of an earlier analysis may not name the nodes that it replaces. */
function countMoved({ kind, items, moves }: Draft, podsOn: Found['podsOn']): number | null {
  if (kind !== 'switch') return new Set(moves.map(({ pod }) => pod)).size
  const nodes = items.flatMap((item) => item.nodes)
  return nodes.length === 0 ? null : podsOn(nodes)
}

const sumEstimates = (items: readonly PlanItem[]): Decimal =>
  items.reduce((sum, { estimatedUsdPerMonth: usd }) => (usd > 0n ? sum + usd : sum), 0n)
