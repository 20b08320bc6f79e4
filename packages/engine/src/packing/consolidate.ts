import type { Decimal } from '../decimal.ts'
import { undoDrains, type Drains } from './drain-nodes.ts'
import { usdOf } from './needs.ts'
import { listReplacements, type Replacement } from './replace-nodes.ts'
import { known, type State } from './state.ts'
import { drainSurely } from './sure-drains.ts'

export type Consolidation = {
  /** What the autoscalers do; applied to the state. */
  readonly scaled: Drains
  readonly replaced: readonly Replacement[]
  /** What users could do beyond that; not applied to the state. */
  readonly byHand: Drains
  /** USD per hour that leave the bill. */
  readonly saved: Decimal
}

/** Simulates the autoscalers of the cluster with the current requests. Nodes that a plan removes are tried first, group by group. */
export function consolidate(state: State, planned: readonly (readonly string[])[] = []): Consolidation {
  const { model, gone } = state
  const present = model.nodes.flatMap((_node, index) => (gone[index] === 0 ? [index] : []))
  const scaled = drainInTurn(
    state,
    present.filter((node) => savesMoney(state, node)),
    planned,
  )
  const byHand = drainSurely(
    state,
    present.filter((node) => !savesMoney(state, node)),
    { happened: scaled.drains },
  )
  undoDrains(state, byHand)
  const replaced = listReplacements(state, scaled.kept)
  const freed = scaled.drains.reduce((sum, { node }) => sum + usdOf(known(model.nodes[node])), 0n)
  return { scaled, replaced, byHand, saved: replaced.reduce((sum, { saved }) => sum + saved, freed) }
}

function drainInTurn(state: State, nodes: readonly number[], planned: readonly (readonly string[])[]): Drains {
  const early = planned.flatMap((names) => {
    const group = nodes.filter((node) => state.gone[node] === 0 && names.includes(known(state.model.nodes[node]).name))
    return group.length === 0 ? [] : drainSurely(state, group).drains
  })
  const late = drainSurely(
    state,
    nodes.filter((node) => state.gone[node] === 0),
  )
  return { drains: [...early, ...late.drains], kept: late.kept }
}

/** The pool is autoscaled, and the node is not a commitment. */
export function savesMoney({ model }: State, node: number): boolean {
  return model.poolOf[node]?.kind !== 'unmanaged' && !model.nodes[node]?.committed
}
