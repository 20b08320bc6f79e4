import type { StatementList } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { monthMessage, teamMessage } from './statement-message.ts'

const sums = { own: 4000, shared: 2182.24, adjustments: 0, total: 6182.24, exact_total: '6182.24', before: 6049.61 }
const budgets = [{ id: 'bud_1', name: 'Storefront', amount: 6500, spent: 4000 }]
const list = {
  month: '2026-10',
  state: 'provisional',
  teams: Array.from({ length: 9 }, (_, at) => ({ team: `team ${at}`, ...sums, budgets })),
  rest: { teams: 2, ...sums },
  unowned: { ...sums, total: 12.5 },
  not_charged: { total: 0, exact_total: '0', idle: 0, overhead: 0, unmounted: 0, unattached: 0 },
  total: 70_000,
  before: 60_000,
} as unknown as StatementList
const at = new Date('2026-11-03T07:00:00Z')

test('the message about a month lists the largest teams and the total, within the facts of a message', () => {
  const { facts, money, title } = monthMessage(list, 0, at)
  expect(title).toBe('Statements 2026-10 (provisional)')
  expect(money).toMatchObject({ label: 'Total', amount: 70_000 })
  expect(facts).toEqual([
    ...Array.from({ length: 6 }, (_, index) => ({ label: `team ${index}`, value: '$6,182.24' })),
    { label: 'Other teams', value: '5' },
    { label: 'Unowned', value: '$12.50' },
    { label: 'Month before', value: '$60,000.00' },
  ])
})

test('the message of a team has its parts, its budget and a link to its sheet', () => {
  const [line] = list.teams
  if (!line) throw new Error('no team')
  const { facts, links, dedupKey } = teamMessage(list, { line: { ...line, team: 'a & b' }, unfinished: 0 }, at)
  expect(facts).toContainEqual({ label: 'Budget', value: 'Storefront: own cost $4,000.00 of $6,500.00' })
  expect(links[0]?.url).toBe('/statements?month=2026-10&team=a%20%26%20b')
  expect(dedupKey).toBe('statement:2026-10:a & b')
})

test('a message says how many clusters have incomplete data', () => {
  const [line] = list.teams
  if (!line) throw new Error('no team')
  const [first, ...others] = monthMessage(list, 2, at).facts
  expect(first).toEqual({ label: 'Incomplete data', value: '2 clusters' })
  expect(others).toHaveLength(8)
  expect(teamMessage(list, { line, unfinished: 1 }, at).facts[0]).toEqual({
    label: 'Incomplete data',
    value: '1 cluster',
  })
})
