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

/**
 * By uid of a node: the step that removed it, and the step that added it as a planned replacement. A replacement that a
 * later step removes belongs to both.
 */
export type CreditedNodes = ReadonlyMap<string, { readonly removed?: string; readonly added?: string }>

/** The step that a change of a node counts for. */
export function findCreditedStep(
  credited: CreditedNodes,
  { uid, movement }: Pick<ChangedNode, 'uid' | 'movement'>,
): string | undefined {
  return movement === 'kept' ? undefined : credited.get(uid)?.[movement]
}

export function nodeCredits(nodes: readonly ChangedNode[], credited: CreditedNodes): StepCredit[] {
  return nodes.flatMap((node) => {
    const stepId = findCreditedStep(credited, node)
    return stepId === undefined ? [] : [{ stepId, part: 'nodes' as const, usd: node.usd }]
  })
}
