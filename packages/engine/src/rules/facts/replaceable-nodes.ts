import { isLiftable } from '../../packing/blocker.ts'
import { count } from '../../count.ts'
import { passed } from '../checks.ts'
import type { Check, Target, Withheld } from '../finding.ts'
import type { NodeFacts } from './object-facts.ts'
import { showUsd } from '../object-finding.ts'

/** Nodes that can go as they are: that money is told elsewhere. */
export const isGoing = ({ fate }: NodeFacts) => fate?.kind === 'free' || fate?.kind === 'by_hand'

/** Something forbids to empty it, and whoever puts another machine in its place has to empty it first. */
export const isHeld = ({ fate }: NodeFacts) => fate?.kind === 'kept' && isLiftable(fate.code)

/** Those in whose place another machine could be put. */
export const isReplaceable = (node: NodeFacts) => !isGoing(node) && !isHeld(node)

const NAMED_MAX = 3

const whyHeld = ({ name, fate }: NodeFacts) => `${name} (${fate?.kind === 'kept' ? sentence(fate.why) : ''})`

const sentence = (text: string) => text.replace(/\.$/, '')

function listHeld(held: readonly NodeFacts[], wordsOf: (node: NodeFacts) => string = whyHeld): string {
  const named = held.slice(0, NAMED_MAX).map(wordsOf).join(', ')
  return held.length <= NAMED_MAX ? named : `${named} and ${held.length - NAMED_MAX} more`
}

/**
 * What is to be said behind a change that leaves some nodes as they are; empty where it is about all of them. Why they stay is in
 * the checks: pods come and go, and the change that somebody approves would be another one with each of them.
 */
export const besidesHeld = (held: readonly NodeFacts[]): string =>
  held.length === 0
    ? ''
    : ` ${listHeld(held, ({ name }) => name)} ${held.length === 1 ? 'stays as it is' : 'stay as they are'}.`

export const heldCheck = (held: readonly NodeFacts[]): Check =>
  passed(
    'Only nodes whose pods may be moved are counted',
    held.length === 0
      ? 'nothing forbids to empty them'
      : `${count(held.length, 'node stays', 'nodes stay')}: ${listHeld(held)}`,
  )

export const allHeld = (
  target: Target,
  held: readonly NodeFacts[],
  what = 'Other machines would cost less',
): Withheld => ({
  kind: 'withheld',
  target,
  reason: 'cannot_move',
  detail: `${what}, and no node may be emptied for them: ${listHeld(held)}.${costOf(held)}`,
  unlock: `It is judged when ${waysOut(held).join(' or ')}.`,
})

/** What these nodes cost is what is at stake at most: there may be nothing larger that nobody speaks about. */
function costOf(held: readonly NodeFacts[]): string {
  if (held.length === 0 || held.some(({ usdPerMonth }) => usdPerMonth === null)) return ''
  const usd = held.reduce((sum, { usdPerMonth }) => sum + (usdPerMonth ?? 0), 0)
  return ` ${held.length === 1 ? 'It costs' : 'They cost'} ${showUsd(usd)} a month.`
}

const WAYS_OUT: Readonly<Record<string, string>> = {
  'node-marked': 'the mark is taken off the node',
  'pod-marked': 'the mark is taken off the pod',
  'bare-pod': 'the pod has a controller that starts it elsewhere',
  'local-storage': 'the pod keeps no data on the node’s disk',
  'system-pod': 'the system pod has a disruption budget',
  'disruption-budget': 'the budget allows a disruption',
  'several-budgets': 'one budget is left for the pod',
}

/** Only what applies to one of these nodes. */
const waysOut = (held: readonly NodeFacts[]): string[] => [
  ...new Set(
    held.map(({ fate }) => (fate?.kind === 'kept' ? WAYS_OUT[fate.code] : undefined) ?? 'the pods can be moved'),
  ),
]
