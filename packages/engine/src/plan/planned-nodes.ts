import type { PreviousStep } from './plan.ts'

/**
 * Nodes that packing removes first, so that the previous plan stays stable, in groups: the nodes of each drain step
 * and of each free step with an applied change, in the order of the plan. After an applied change, the nodes of the
 * other free steps follow; before that, none of them is removable.
 */
export function plannedNodes(previous: readonly PreviousStep[]): string[][] {
  const namesOf = ({ nodes }: PreviousStep) => nodes.map(({ name }) => name)
  const free = previous.filter(({ kind }) => kind === 'free')
  const applied = free.filter((step) => (step.applied ?? []).length > 0)
  const drained = previous.filter(({ kind }) => kind === 'drain')
  const others = applied.length === 0 ? [] : free.filter((step) => !applied.includes(step))
  return [...[...drained, ...applied].map(namesOf), others.flatMap(namesOf)].filter(({ length }) => length > 0)
}
