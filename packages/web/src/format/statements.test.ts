import type { Statement, StatementList } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { changeAmounts, monthAmounts, monthRows, notChargedWords, statementAmounts } from './statements.ts'

const none = { cpu: 0, memory: 0, gpu: 0, storage: 0, load_balancer: 0 }
const usdOf = (text: string) => Number(text.replaceAll(/[$,–]/g, '').replace('−', '-'))
const sumOf = (texts: readonly string[]) => Math.round(texts.reduce((sum, text) => sum + usdOf(text), 0) * 100) / 100

/** Thirds of a cent: each amount alone would be rounded down. */
const statement = {
  own: {
    rows: [
      { cluster: 'eu', namespace: 'shop', ...none, cpu: 1.003334, memory: 0.003333, total: 1.006667 },
      { cluster: 'eu', namespace: 'data', ...none, cpu: 0.003333, memory: 0.003333, total: 0.006666 },
    ],
    ...none,
    ...{ cpu: 1.006667, memory: 0.006666, total: 1.013333 },
  },
  shared: {
    parts: [
      { part: 'idle', amount: 0.003333 },
      { part: 'overhead', amount: 0.003334 },
    ],
    total: 0.006667,
  },
  adjustments: [],
  total: 1.02,
} as unknown as Statement

test('all amounts of a sheet add up in cents', () => {
  const { columns, rows, columnTotals, own, parts, shared, total } = statementAmounts(statement)
  expect(columns).toEqual(['CPU', 'Memory'])
  expect(total).toBe('$1.02')
  for (const row of rows) expect(sumOf(row.cells)).toBe(usdOf(row.total))
  expect(sumOf(rows.map((row) => row.total))).toBe(usdOf(own))
  expect(sumOf(columnTotals)).toBe(usdOf(own))
  expect(sumOf(parts)).toBe(usdOf(shared))
  expect(sumOf([own, shared])).toBe(usdOf(total))
})

const sums = { own: 1, shared: 0.5, adjustments: 0, total: 1.5, exact_total: '1.5', before: 1 }
const list = {
  teams: [{ team: 'red', ...sums, budgets: null }],
  rest: { ...sums, teams: 2, total: 0.3, own: 0.2, shared: 0.1 },
  unowned: { ...sums, total: 0.2, own: 0.1, shared: 0.1 },
  not_charged: { total: 0.1, exact_total: '0.1', idle: 0, overhead: 0, unmounted: 0.06, unattached: 0.04 },
} as unknown as StatementList

test('the rows of a month are teams, unowned and not charged cost, and add up to the total', () => {
  const rows = monthRows(list)
  expect(rows.map(({ word }) => word)).toEqual(['red', '2 other teams', 'Unowned', 'Not charged'])
  const { own, totals, total } = monthAmounts(rows)
  expect(total).toBe('$2.10')
  expect(sumOf(totals)).toBe(2.1)
  expect(own).toEqual(['$1.00', '$0.20', '$0.10', '–'])
})

test('a limited role has no row for cost of other teams', () => {
  const limited = { ...list, unowned: null, not_charged: null, rest: { ...list.rest, teams: 0 } }
  expect(monthRows(limited).map(({ word }) => word)).toEqual(['red'])
})

test('changes add up to the difference of the shown totals, with their signs', () => {
  const { parts, total } = changeAmounts([0.504, -0.25, 0.004], { before: 1.004, total: 1.262 })
  expect(total).toBe('+$0.26')
  expect(sumOf(parts.map((text) => text.replace('+', '')))).toBe(0.26)
  expect(parts[1]).toBe('−$0.25')
})

test('cost that no team pays is named with its amounts', () => {
  expect(list.not_charged && notChargedWords(list.not_charged)).toEqual([
    'unattached volumes $0.06',
    'load balancers without endpoints $0.04',
  ])
})
