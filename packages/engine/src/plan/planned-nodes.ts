import type { PreviousStep } from './plan.ts'

/**
 * Nodes that packing should remove first, so that the plan before stands, in groups: those of each drain step and of each free step of
 * which a change was applied, in the order of the plan. Once a change was applied, those of the other free steps follow; before that,
 * none of them can go.
 */
export function plannedNodes(previous: readonly PreviousStep[]): string[][] {
  const namesOf = ({ nodes }: PreviousStep) => nodes.map(({ name }) => name)
  const free = previous.filter(({ kind }) => kind === 'free')
  const applied = free.filter((step) => (step.applied ?? []).length > 0)
  const drained = previous.filter(({ kind }) => kind === 'drain')
  const others = applied.length === 0 ? [] : free.filter((step) => !applied.includes(step))
  return [...[...drained, ...applied].map(namesOf), others.flatMap(namesOf)].filter(({ length }) => length > 0)
}
