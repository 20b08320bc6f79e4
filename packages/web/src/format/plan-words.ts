import type { PlanStep, PlanStepReference, StepKindName, StepStatus } from '@plimsoll/contract'
import type { Tone } from './labels.ts'
import { change, dollars } from './money.ts'
import { count } from './quantity.ts'

export const stepKindWords: Record<StepKindName, string> = {
  protect: 'Protect',
  remove: 'Remove',
  drain: 'Drain',
  free: 'Free',
  switch: 'Switch',
  rest: 'Rest',
}

export const stepStatusLabels: Partial<Record<StepStatus, { word: string; tone: Tone }>> = {
  partly_approved: { word: 'Partly approved', tone: 'warn' },
  approved: { word: 'Approved', tone: 'ok' },
  partly_implemented: { word: 'Partly implemented', tone: 'warn' },
  implemented: { word: 'Implemented', tone: 'ok' },
  rejected: { word: 'Rejected', tone: 'muted' },
}

/** A node is named by its host name. */
const hostOf = (name: string) => name.split('.')[0] ?? name

const namedMax = 2

function nodesNamed(names: readonly string[]): string {
  const shown = names.slice(0, namedMax).map(hostOf)
  const others = names.length - shown.length
  return others > 0 ? `${shown.join(', ')} and ${others} more` : shown.join(' and ')
}

/** What leaves the bill with the step: nodes, or nothing yet. */
export function whatLeaves({ kind, nodes, savings, capacity_value: capacity }: PlanStep): string {
  const removed = nodes.filter((node) => node.replaced_by === null).map(({ name }) => name)
  const replaced = nodes.filter((node) => node.replaced_by !== null)
  const words = [
    ...(removed.length > 0 ? [`Removes ${nodesNamed(removed)}`] : []),
    ...(replaced.length > 0
      ? [
          `Replaces ${nodesNamed(replaced.map(({ name }) => name))} by ${[...new Set(replaced.map((node) => node.replaced_by))].join(', ')}`,
        ]
      : []),
  ]
  if (words.length > 0) return words.join('. ')
  if (kind === 'rest') return `Removes no node now. Frees capacity worth ${dollars(capacity)}/month`
  if (kind === 'protect') return savings < 0 ? 'Adds capacity that these workloads need' : 'Fits on the current nodes'
  return ''
}

/** "Step 3 of 9, together with 13 others: removes ip-10-26-7-62, −$625/month". */
export function stepSentence({ number, of, others, kind, nodes, savings }: PlanStepReference): string {
  const place = `Step ${number} of ${of}${others === 0 ? '' : `, together with ${count(others, 'other', 'others')}`}`
  if (kind === 'rest') return `${place}: removes no node now`
  const what = nodes.length === 0 ? [] : [`removes ${nodesNamed(nodes)}`]
  return `${place}: ${[...what, `${change(-savings)}/month`].join(', ')}`
}

/** "restarts 55 pods, 1 StatefulSet among them". */
export function restartWords({ pods_restarted: pods, stateful_sets_restarted: sets }: PlanStep['effort']): string {
  if (pods === null) return ''
  if (pods === 0) return 'restarts no pods'
  const stateful = sets !== null && sets > 0 ? `, including ${count(sets, 'StatefulSet')}` : ''
  return `restarts ${count(pods, 'pod')}${stateful}`
}

const teamsMax = 3

export function teamWords(teams: readonly string[]): string {
  if (teams.length === 0) return ''
  if (teams.length > teamsMax) return count(teams.length, 'team')
  return `${teams.length === 1 ? 'team' : 'teams'} ${teams.join(', ')}`
}
