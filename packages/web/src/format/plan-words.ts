import type { PlanStep, PlanStepReference, StepKindName, StepStatus, UnsafeNow } from '@plimsoll/contract'
import type { Tone } from './labels.ts'
import { change, dollars } from './money.ts'
import { count, number } from './quantity.ts'

export const stepKindWords: Record<StepKindName, string> = {
  protect: 'Fix failures',
  remove: 'Remove unused resources',
  drain: 'Drain nodes',
  free: 'Free nodes',
  switch: 'Switch instance type',
  rest: 'Free capacity',
}

/** The changes that the savings of a plan count. An implemented change counts until the next analysis observes it. */
export const plannedWords = (steps: readonly Pick<PlanStep, 'status'>[]): string =>
  steps.every(({ status }) => status === 'open') ? 'open changes' : 'changes that are not observed yet'

export const stepStatusLabels: Partial<Record<StepStatus, { word: string; tone: Tone }>> = {
  partly_approved: { word: 'Partly approved', tone: 'warn' },
  approved: { word: 'Approved', tone: 'ok' },
  partly_implemented: { word: 'Partly implemented', tone: 'warn' },
  implemented: { word: 'Implemented', tone: 'ok' },
  rejected: { word: 'Rejected', tone: 'muted' },
}

/** "2 changes, 1 applied". */
export const changesWords = ({
  changes,
  changes_applied: applied = 0,
}: Pick<PlanStep, 'changes' | 'changes_applied'>) =>
  applied === 0 ? count(changes, 'change') : `${count(changes, 'change')}, ${number(applied)} already applied`

export type PlacedSteps = readonly { readonly id: string; readonly place: number }[]

/** "Go to step 3", by the place in the list. A step after the end of the list has no place. */
export function goToWords(id: string, steps: PlacedSteps): string {
  const place = steps.find((step) => step.id === id)?.place
  return place === undefined ? 'Go to the plan' : `Go to step ${place}`
}

/** "Step 1 fixes 2 of them and fits in unallocated capacity". The amount follows "and costs". */
export function fixesWords({ workloads, step }: Pick<UnsafeNow, 'workloads' | 'step'>, steps: PlacedSteps): string {
  if (!step) return ''
  const { id, savings, failing_workloads: fixed } = step
  const place = steps.find((each) => each.id === id)?.place
  const which = workloads === 1 ? 'it' : fixed === workloads ? 'all of them' : `${fixed} of them`
  const fixes = fixed === 0 ? '' : `fixes ${which} and `
  const effect = savings === 0 ? 'fits in unallocated capacity' : 'costs'
  return `${place === undefined ? 'One step' : `Step ${place}`} ${fixes}${effect}`
}

/** A node is named by its host name. */
const hostOf = (name: string) => name.split('.')[0] ?? name

const namedMax = 2

function nodesNamed(names: readonly string[]): string {
  const shown = names.slice(0, namedMax).map(hostOf)
  const others = names.length - shown.length
  return others > 0 ? `${shown.join(', ')} and ${others} more` : shown.join(' and ')
}

type StepNode = PlanStep['nodes'][number]

/** "1 × m6i.4xlarge ip-10-26-7-62", "3 × m6i.4xlarge (a, b and 1 more)". */
function nodesByType(nodes: readonly StepNode[]): string {
  const byType = new Map<string, string[]>()
  for (const { instance_type: type, name } of nodes) byType.set(type ?? '', [...(byType.get(type ?? '') ?? []), name])
  const words = [...byType].map(([type, names]) => {
    if (type === '') return nodesNamed(names)
    return `${names.length} × ${type} ${names.length === 1 ? nodesNamed(names) : `(${nodesNamed(names)})`}`
  })
  return words.length <= 2 ? words.join(' and ') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}

/** What leaves the bill with the step, or why the bill stays. */
export function whatLeaves(step: Pick<PlanStep, LeavingFields>): string {
  const removed = step.nodes.filter((node) => node.replaced_by === null)
  const replaced = step.nodes.filter((node) => node.replaced_by !== null)
  const types = [...new Set(replaced.map((node) => node.replaced_by))].join(', ')
  const words = [
    ...(removed.length > 0 ? [`Removes ${nodesByType(removed)}`] : []),
    ...(replaced.length > 0 ? [`Replaces ${nodesByType(replaced)} with ${types}`] : []),
  ]
  return words.length > 0 ? words.join('. ') : withoutNodes(step)
}

type LeavingFields = 'kind' | 'nodes' | 'savings' | 'capacity_value' | 'capacity_used' | 'recommendations'

function withoutNodes({ kind, savings, recommendations: [first], ...step }: Pick<PlanStep, LeavingFields>): string {
  const { capacity_value: freed, capacity_used: used } = step
  if (kind === 'rest') return `Removes no node. Frees capacity worth ${dollars(freed)}/month`
  if (kind === 'switch') return first ? first.change.summary.replace(/\.$/, '') : ''
  if (kind !== 'protect') return ''
  if (savings < 0) return `Adds nodes. The higher requests cost ${dollars(used)}/month`
  return used > 0 ? `Uses ${dollars(used)}/month of unallocated capacity` : 'Raises no request'
}

/** "Step 3 of 9 in the plan of shop (14 changes): removes ip-10-26-7-62, −$625/month". Steps are numbered by cluster. */
export function stepSentence(step: PlanStepReference, clusterName: string | undefined): string {
  const { number, of, others, kind, nodes, savings } = step
  const plan = clusterName === undefined ? '' : ` in the plan of ${clusterName}`
  const place = `Step ${number} of ${of}${plan}${others === 0 ? '' : ` (${count(others + 1, 'change')})`}`
  if (kind === 'rest') return `${place}: removes no node now`
  if (kind === 'protect' && savings === 0) return `${place}: fits in unallocated capacity. The bill does not change`
  const what = nodes.length === 0 ? [] : [`removes ${nodesNamed(nodes)}`]
  return `${place}: ${[...what, `${change(-savings)}/month`].join(', ')}`
}

/** "restarts 55 pods, 1 StatefulSet among them". */
function restartWords({ pods_restarted: pods, stateful_sets_restarted: sets }: PlanStep['effort']): string {
  if (pods === null) return ''
  if (pods === 0) return 'no restarts'
  const stateful = sets !== null && sets > 0 ? `, including ${count(sets, 'StatefulSet')}` : ''
  return `restarts ${count(pods, 'pod')}${stateful}`
}

/** "moves 37 pods"; empty if no pod moves, or if the number is unknown. */
const moveWords = ({ pods_moved: pods }: PlanStep['effort']): string =>
  pods === null || pods === 0 ? '' : `moves ${count(pods, 'pod')}`

/** The pods that restart and move. A step that replaces nodes restarts pods by moving them; a removed pod does not restart. */
export function podWords({ kind, effort }: Pick<PlanStep, 'kind' | 'effort'>): string[] {
  const isByMoving = kind === 'drain' || kind === 'switch'
  const isWithoutRestart = isByMoving || (kind === 'remove' && effort.pods_restarted === 0)
  return [isWithoutRestart ? '' : restartWords(effort), moveWords(effort)].filter((word) => word !== '')
}

const teamsMax = 3

/** "namespaces shop, pay"; the service lists a namespace without a team as a separate team. */
export function teamWords({ effort: { teams }, recommendations }: OwnedStep): string {
  if (teams.length === 0) return ''
  const namespaces = new Set(recommendations.map(({ namespace }) => namespace))
  const noun = teams.every((team) => namespaces.has(team)) ? 'namespace' : 'team'
  if (teams.length > teamsMax) return count(teams.length, noun)
  return `${noun}${teams.length === 1 ? '' : 's'} ${teams.join(', ')}`
}

type OwnedStep = {
  effort: Pick<PlanStep['effort'], 'teams'>
  recommendations: readonly Pick<PlanStep['recommendations'][number], 'namespace'>[]
}
