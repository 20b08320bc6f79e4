import type { Changes } from '@plimsoll/contract'
import { exactDollars } from '../../format/money.ts'
import { count, withUnits } from '../../format/quantity.ts'

type Cause = NonNullable<NonNullable<Changes['waterfall']>['causes']>[number]

/** A line of the list, or several causes without an amount. */
export type CauseLine = { key: string; title: string; detail: string; short: string; usd: number; isStep: boolean }

const otherWords: Record<Exclude<Cause['kind'], 'step'>, { title: string; short: string; detail: string }> = {
  nodes: {
    title: 'Other node changes',
    short: 'Other nodes',
    detail: 'node changes that belong to no applied plan step',
  },
  price: { title: 'Price changes', short: 'Prices', detail: 'prices of nodes' },
  storage: { title: 'Storage', short: 'Storage', detail: 'volumes that no applied step named' },
  load_balancers: { title: 'Load balancers', short: 'Balancers', detail: '' },
  fees: { title: 'Control plane fees', short: 'Fees', detail: '' },
  new_clusters: { title: 'New clusters', short: 'New clusters', detail: 'clusters connected after the first day' },
  gone_clusters: { title: 'Disconnected clusters', short: 'Clusters', detail: 'clusters without data on the last day' },
  hours: { title: 'Hours with data', short: 'Hours', detail: 'more or fewer hours with data' },
}

/** The causes with an amount; the others as one line. */
export function causeLines(causes: readonly Cause[]): CauseLine[] {
  const shown = causes.filter((cause) => !isNothing(cause))
  const hidden = causes.filter(isNothing)
  // Less than a cent each, so that the lines add up to the difference.
  const usd = hidden.reduce((sum, cause) => sum + (cause.per_month ?? 0), 0)
  const rest = hidden
    .filter(({ kind }) => emptyKinds.has(kind))
    .map(({ kind }) => (kind === 'step' ? '' : otherWords[kind].title.toLowerCase()))
    .join(', ')
  return [
    ...shown.map(lineOf),
    ...(rest === '' ? [] : [{ key: 'empty', title: sentence(rest), detail: '', short: '', usd, isStep: false }]),
  ]
}

/**
 * Why the steps of this comparison and the step table show different amounts: the table counts each removed node in full,
 * the comparison only nodes that ran on the first day. Empty: they show the same.
 */
export function stepTableNote(lines: readonly CauseLine[], offTheBill: number, since: string): string {
  const compared = -lines.filter(({ isStep }) => isStep).reduce((sum, { usd }) => sum + usd, 0)
  if (Math.abs(compared - offTheBill) < 0.005) return ''
  return `The table of plan steps shows ${exactDollars(offTheBill)}/month. It also counts nodes that started after ${since}, and steps applied before or after this period.`
}

/** Whether one of the windows has fewer hours with data. */
export const hasMissingHours = (causes: readonly Cause[]) =>
  causes.some(({ kind, amount }) => kind === 'hours' && Math.abs(amount) >= 0.005)

/** Named even without an amount, because readers look for them. */
const emptyKinds: ReadonlySet<Cause['kind']> = new Set(['nodes', 'price', 'storage', 'load_balancers', 'fees'])

const isNothing = ({ per_month: usd }: Cause) => usd === null || Math.abs(usd) < 0.005

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function lineOf({ kind, step, per_month: usd }: Cause): CauseLine {
  if (kind !== 'step') return { key: kind, ...otherWords[kind], usd: usd ?? 0, isStep: false }
  if (!step) return { key: 'steps', title: 'Plan steps', detail: '', short: 'Plan steps', usd: usd ?? 0, isStep: true }
  const { id, title, nodes, resources, classes } = step
  const what = nodes > 0 ? 'Nodes removed' : 'Resources removed'
  const types = classes.map((name) => name.split(',')[0] ?? '').join(', ')
  const counts = [
    ...(nodes > 0 ? [`${count(nodes, 'node')}${types === '' ? '' : `: ${types}`}`] : []),
    ...(resources > 0 ? [count(resources, 'cloud resource')] : []),
  ]
  const short = nodes > 0 ? count(nodes, 'node') : count(resources, 'resource')
  return {
    key: id,
    title: `${what} by “${withUnits(title)}”`,
    detail: counts.join(', '),
    short,
    usd: usd ?? 0,
    isStep: true,
  }
}

const barsMax = 8

/** The lines with a bar. Further steps share one bar. */
export function barLines(lines: readonly CauseLine[]): CauseLine[] {
  const drawn = lines.filter(({ key }) => key !== 'empty')
  const others = drawn.filter(({ isStep }) => !isStep)
  const steps = drawn.filter(({ isStep }) => isStep)
  const stepsMax = Math.max(1, barsMax - others.length)
  if (steps.length <= stepsMax) return drawn
  const merged = steps.slice(stepsMax - 1)
  const usd = merged.reduce((sum, line) => sum + line.usd, 0)
  const title = `${count(merged.length, 'more step')}`
  return [
    ...steps.slice(0, stepsMax - 1),
    { key: 'more', title, detail: '', short: title, usd, isStep: true },
    ...others,
  ]
}
