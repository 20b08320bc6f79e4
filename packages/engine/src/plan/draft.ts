import type { Decimal } from '../decimal.ts'
import { monthly } from '../packing/bankable-savings.ts'
import type { Drain } from '../packing/drain-node.ts'
import { usdOf } from '../packing/needs.ts'
import { known, type State } from '../packing/state.ts'
import type { PlanItem, StepMove, StepNode } from './plan.ts'
import { movesOf, type Work } from './work.ts'
import type { StepKind } from '../vocabulary/recommendations.ts'

/** A step before it has a title, a position in the run rate and shares. */
export type Draft = {
  readonly kind: StepKind
  /** ID of the previous step that continues; absent: the step is new. */
  readonly id?: string
  readonly items: readonly PlanItem[]
  readonly nodes: readonly StepNode[]
  readonly moves: readonly StepMove[]
  readonly usdPerMonth: Decimal
}

export const usdOfNode = ({ model }: State, node: number): Decimal => monthly(usdOf(known(model.nodes[node])))

export function stepNode(state: State, node: number): StepNode {
  const { name, pool, labels } = known(state.model.nodes[node])
  const instanceType = labels['node.kubernetes.io/instance-type']
  return {
    name,
    pool,
    ...(instanceType === undefined ? {} : { instanceType }),
    usdPerMonth: usdOfNode(state, node),
    replacedBy: null,
  }
}

/** A step that removes these nodes. */
export function draftOf(
  work: Work,
  step: Pick<Draft, 'kind' | 'items'> & { readonly id?: string; readonly drains: readonly Drain[] },
): Draft {
  const { drains, ...rest } = step
  const nodes = drains.map(({ node }) => stepNode(work.state, node))
  return { ...rest, nodes, moves: drains.flatMap((drain) => movesOf(work, drain)), usdPerMonth: sumUsd(nodes) }
}

export const sumUsd = (parts: readonly { readonly usdPerMonth: Decimal }[]): Decimal =>
  parts.reduce((sum, { usdPerMonth }) => sum + usdPerMonth, 0n)
