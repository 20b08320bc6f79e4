import type { Changes } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { barLines, causeLines, stepTableNote, type CauseLine } from './bill-causes.ts'

type Cause = NonNullable<NonNullable<Changes['waterfall']>['causes']>[number]

const cause = (kind: Cause['kind'], perMonth: number, step?: Cause['step']): Cause => ({
  ...{ kind, amount: perMonth, exact_amount: String(perMonth), per_month: perMonth },
  ...(step ? { step } : {}),
})

const aStep = (id: string, more: Partial<NonNullable<Cause['step']>> = {}) => ({
  ...{ id, cluster_id: 'c', title: 'Lower 11 requests in payments', nodes: 2, resources: 0 },
  classes: ['m6i.4xlarge, on-demand, AWS eu-west-1, 16 cores, 64 GiB'],
  ...more,
})

test('a step is named by its title; causes without an amount share one line', () => {
  const lines = causeLines([
    cause('step', -1249.76, aStep('stp_1')),
    cause('step', -130.58, aStep('stp_2', { nodes: 0, classes: [], resources: 14, title: 'Remove 14 volumes' })),
    cause('nodes', 156.22),
    ...(['price', 'storage', 'load_balancers', 'fees', 'new_clusters', 'hours'] as const).map((kind) => cause(kind, 0)),
  ])
  expect(lines.map(({ title, detail, usd }) => [title, detail, usd])).toEqual([
    ['Nodes removed by “Lower 11 requests in payments”', '2 nodes: m6i.4xlarge', -1249.76],
    ['Resources removed by “Remove 14 volumes”', '14 cloud resources', -130.58],
    ['Other node changes', 'node changes that belong to no applied plan step', 156.22],
    ['Price changes, storage, load balancers, control plane fees', '', 0],
  ])
})

test('steps that the role may not read are one line', () => {
  expect(causeLines([cause('step', -12)])).toMatchObject([{ title: 'Plan steps', usd: -12, isStep: true }])
})

test('the bars add up to the lines, however many steps there are', () => {
  const line = (key: string, usd: number, isStep = true): CauseLine => ({
    ...{ key, title: key, detail: '', short: key, usd, isStep },
  })
  const lines = [...Array.from({ length: 12 }, (_each, at) => line(`s${at}`, -at)), line('nodes', 7, false)]
  const bars = barLines(lines)
  const sum = (all: readonly CauseLine[]) => all.reduce((total, { usd }) => total + usd, 0)
  expect(bars).toHaveLength(8)
  expect(bars.at(-2)).toMatchObject({ key: 'more', title: '6 more steps' })
  expect(sum(bars)).toBe(sum(lines))
})

test('a comparison that begins before some nodes existed says why the step table shows more', () => {
  const lines = causeLines([cause('step', -1037, aStep('stp_1')), cause('nodes', 20)])
  expect(stepTableNote(lines, 1610, '19 Oct 2026')).toBe(
    'The table of plan steps shows $1,610.00/month. It also counts nodes that started after 19 Oct 2026, and steps applied before or after this period.',
  )
  expect(stepTableNote(lines, 1037, '19 Oct 2026')).toBe('')
})
