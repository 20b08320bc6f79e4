import { isLiftable } from '../../packing/blocker.ts'
import { count } from '../../count.ts'
import { passed } from '../checks.ts'
import type { Check, Target, Withheld } from '../finding.ts'
import type { NodeFacts } from './object-facts.ts'
import { showUsd } from '../object-finding.ts'

/** Nodes that can be removed: their cost is reported elsewhere. */
export const isGoing = ({ fate }: NodeFacts) => fate?.kind === 'free' || fate?.kind === 'by_hand'

/** The node cannot be drained, and a replacement requires a drain. */
export const isHeld = ({ fate }: NodeFacts) => fate?.kind === 'kept' && isLiftable(fate.code)

/** Nodes that another instance type can replace. */
export const isReplaceable = (node: NodeFacts) => !isGoing(node) && !isHeld(node)

const NAMED_MAX = 3

const whyHeld = ({ name, fate }: NodeFacts) => `${name} (${fate?.kind === 'kept' ? sentence(fate.why) : ''})`

const sentence = (text: string) => text.replace(/\.$/, '')

function listHeld(held: readonly NodeFacts[], wordsOf: (node: NodeFacts) => string = whyHeld): string {
  const named = held.slice(0, NAMED_MAX).map(wordsOf).join(', ')
  return held.length <= NAMED_MAX ? named : `${named} and ${held.length - NAMED_MAX} more`
}

/**
 * A note for a change that leaves some nodes; empty if it covers all nodes. The checks hold the reasons, because they
 * change with the pods and must not change the approved content.
 */
export const besidesHeld = (held: readonly NodeFacts[]): string =>
  held.length === 0
    ? ''
    : ` ${listHeld(held, ({ name }) => name)} ${held.length === 1 ? 'is not replaced' : 'are not replaced'}.`

export const heldCheck = (held: readonly NodeFacts[]): Check =>
  passed(
    'Nodes that cannot be drained',
    held.length === 0 ? 'none' : `${count(held.length, 'node stays', 'nodes stay')}: ${listHeld(held)}`,
  )

export const allHeld = (
  target: Target,
  held: readonly NodeFacts[],
  verdict = 'Other instance types cost less, but no node can be drained.',
): Withheld => ({
  kind: 'withheld',
  target,
  reason: 'cannot_move',
  detail: `${verdict} Blocked: ${listHeld(held)}.${costOf(held)}`,
  unlock: `${capital(waysOut(held).join(', or '))}.`,
})

/** The cost of these nodes, which is the maximum of the possible savings. */
function costOf(held: readonly NodeFacts[]): string {
  if (held.length === 0 || held.some(({ usdPerMonth }) => usdPerMonth === null)) return ''
  const usd = held.reduce((sum, { usdPerMonth }) => sum + (usdPerMonth ?? 0), 0)
  return ` ${held.length === 1 ? 'This node costs' : 'These nodes cost'} ${showUsd(usd)}/month.`
}

const WAYS_OUT: Readonly<Record<string, string>> = {
  'node-marked': 'remove the annotation from the node',
  'pod-marked': 'remove the annotation from the pod',
  'bare-pod': 'replace the pod with a Deployment or another controller',
  'local-storage': 'move the local storage of the pod to a volume',
  'system-pod': 'add a PodDisruptionBudget for the system pod',
  'disruption-budget': 'allow a disruption in the PodDisruptionBudget',
  'several-budgets': 'keep one PodDisruptionBudget for the pod',
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** Only options that apply to one of these nodes. */
const waysOut = (held: readonly NodeFacts[]): string[] => [
  ...new Set(
    held.map(({ fate }) => (fate?.kind === 'kept' ? WAYS_OUT[fate.code] : undefined) ?? 'make the pods evictable'),
  ),
]
