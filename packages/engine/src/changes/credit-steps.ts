import type { Decimal } from '../decimal.ts'
import type { NodeMovement } from './node-changes.ts'
import type { Waterfall } from './waterfall.ts'
import type { OtherCause } from '../vocabulary/changes.ts'

/** What a step changed in one part of the bill. */
export type StepCredit = {
  readonly stepId: string
  readonly part: 'nodes' | 'storage' | 'load_balancers' | 'fees'
  readonly usd: Decimal
}

export type WaterfallCauses = {
  /** By step. */
  readonly steps: ReadonlyMap<string, Decimal>
  readonly others: Readonly<Record<OtherCause, Decimal>>
}

/** The change of the bill by cause: each step takes its credits from the part that they belong to. */
export function waterfallCauses(parts: Waterfall, credits: readonly StepCredit[]): WaterfallCauses {
  const { nodes_removed: removed, nodes_added: added, nodes_kept: kept, ...others } = parts
  const rest = { nodes: removed + added + kept, ...others }
  const steps = new Map<string, Decimal>()
  for (const { stepId, part, usd } of credits) {
    rest[part] -= usd
    steps.set(stepId, (steps.get(stepId) ?? 0n) + usd)
  }
  return { steps, others: rest }
}

type ChangedNode = { readonly uid: string; readonly movement: NodeMovement; readonly usd: Decimal }

/** The nodes of a step: those that it removed, and their planned replacements. By uid of the node. */
export type CreditedNodes = ReadonlyMap<string, { readonly stepId: string; readonly movement: 'removed' | 'added' }>

export function nodeCredits(nodes: readonly ChangedNode[], credited: CreditedNodes): StepCredit[] {
  return nodes.flatMap(({ uid, movement, usd }) => {
    const credit = credited.get(uid)
    return credit?.movement === movement ? [{ stepId: credit.stepId, part: 'nodes' as const, usd }] : []
  })
}
