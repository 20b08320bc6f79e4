import type { Plan, PreviousStep } from './plan.ts'

/**
 * Nodes that packing removes first, so that the previous plan stays stable: the nodes that packing removed before, then
 * the nodes of the drain steps and of each free step with an applied change, in the order of the plan. After an applied
 * change, the nodes of the other free steps follow; before that, none of them is removable.
 */
export function plannedNodes(previous: readonly PreviousStep[], drained: Plan['drained'] = []): string[] {
  const free = previous.filter(({ kind }) => kind === 'free')
  const applied = free.filter((step) => (step.applied ?? []).length > 0)
  const drains = previous.filter(({ kind }) => kind === 'drain')
  const others = applied.length === 0 ? [] : free.filter((step) => !applied.includes(step))
  const named = [...drains, ...applied, ...others].flatMap(({ nodes }) => nodes.map(({ name }) => name))
  return [...new Set([...drained, ...named])]
}
