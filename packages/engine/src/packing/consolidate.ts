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

/** Simulates the autoscalers of the cluster with the current requests. Nodes that a plan removes are tried first, in its order. */
export function consolidate(state: State, planned: readonly string[] = []): Consolidation {
  const { model, gone } = state
  const present = model.nodes.flatMap((_node, index) => (gone[index] === 0 ? [index] : []))
  const scaled = drainSurely(
    state,
    present.filter((node) => savesMoney(state, node)),
    { first: listPlanned(state, planned) },
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

const listPlanned = (state: State, planned: readonly string[]): number[] =>
  planned
    .flatMap((name) => state.model.nodeNumbers.get(name) ?? [])
    .filter((node) => state.gone[node] === 0 && savesMoney(state, node))

/** The pool is autoscaled, and the node is not a commitment. */
export function savesMoney({ model }: State, node: number): boolean {
  return model.poolOf[node]?.kind !== 'unmanaged' && !model.nodes[node]?.committed
}
