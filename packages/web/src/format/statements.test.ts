import type { Statement, StatementList } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import fc from 'fast-check'
import { changeAmounts, changeOf, monthAmounts, monthRows, notChargedWords, statementAmounts } from './statements.ts'

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
  total: 2.1,
} as unknown as StatementList

test('the rows of a month are teams, unowned and not charged cost, and add up to the total', () => {
  const rows = monthRows(list)
  expect(rows.map(({ word }) => word)).toEqual(['red', '2 other teams', 'Unowned', 'Not charged'])
  const { own, totals, total, rounding } = monthAmounts(rows, list)
  expect(rounding).toBeNull()
  expect(total).toBe('$2.10')
  expect(sumOf(totals)).toBe(2.1)
  expect(own).toEqual(['$1.00', '$0.20', '$0.10', '–'])
})

test('a limited role has no row for cost of other teams', () => {
  const limited = { ...list, unowned: null, not_charged: null, rest: { ...list.rest, teams: 0 } }
  expect(monthRows(limited).map(({ word }) => word)).toEqual(['red'])
})

/** Amounts with fractions of a cent. */
const usd = fc.integer({ min: 0, max: 3_000_000 }).map((units) => units / 10_000)

const sheetOf = (cells: readonly number[], parts: readonly number[]) => {
  const sum = (values: readonly number[]) => values.reduce((all, each) => all + each, 0)
  const rows = cells.map((cpu, at) => ({ cluster: 'eu', namespace: `n${at}`, ...none, cpu, total: cpu }))
  return {
    own: { rows, ...none, cpu: sum(cells), total: sum(cells) },
    shared: { parts: parts.map((amount, at) => ({ part: `p${at}`, amount })), total: sum(parts) },
    adjustments: [],
    total: sum(cells) + sum(parts),
    changes: { before: 0, shared: parts.map((_amount, at) => ({ part: `p${at}`, before: 0 })) },
  } as unknown as Statement
}

test('law: the list and each sheet show the same amounts, and the rows with the rounding add up to the month', () => {
  const team = fc.tuple(fc.array(usd, { minLength: 1, maxLength: 4 }), fc.tuple(usd, usd))
  fc.assert(
    fc.property(fc.array(team, { maxLength: 6 }), (teams) => {
      const sheets = teams.map(([cells, parts]) => sheetOf(cells, parts))
      const rows = sheets.map(({ own, shared, total }, at) => ({
        ...{ key: `${at}`, word: '', team: `${at}`, before: 0, budgets: null },
        ...{ own: own.total, shared: shared.total, total },
      }))
      const shown = monthAmounts(rows, { total: rows.reduce((sum, row) => sum + row.total, 0) })
      for (const [at, sheet] of sheets.entries()) {
        const { own, shared, total } = statementAmounts(sheet)
        expect([shown.own[at], shown.shared[at], shown.totals[at]]).toEqual([own, shared, total])
        expect(sumOf([own, shared])).toBe(usdOf(total))
      }
      expect(sumOf([...shown.totals, shown.rounding ?? '$0'])).toBe(usdOf(shown.total))
    }),
  )
})

test('law: causes and shared parts add up to the difference; a part that is new changed by its amount', () => {
  fc.assert(
    fc.property(fc.array(usd, { minLength: 1, maxLength: 4 }), fc.tuple(usd, usd), (cells, parts) => {
      const sheet = sheetOf(cells, parts)
      const { own, shared, total } = changeAmounts(sheet, cells)
      const plain = (texts: readonly string[]) => texts.map((text) => text.replace('+', ''))
      expect(plain(shared)).toEqual(statementAmounts(sheet).parts)
      expect(sumOf(plain([...own, ...shared]))).toBe(usdOf(total.replace('+', '')))
      expect(total).toBe(changeOf({ total: sheet.total, before: 0 }))
    }),
  )
})

test('cost that no team pays is named with amounts that add up to its sum', () => {
  const halves = { total: 0.03, exact_total: '0.03', idle: 0.015, overhead: 0.015, unmounted: 0, unattached: 0 }
  expect(notChargedWords(halves)).toEqual(['unallocated capacity $0.02', 'control planes $0.01'])
  expect(list.not_charged && notChargedWords(list.not_charged)).toEqual([
    'unattached volumes $0.06',
    'load balancers without endpoints $0.04',
  ])
})
