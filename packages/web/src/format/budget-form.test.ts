import type { Budget } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { bodyOf, changeLines, editOf, fieldsOf, scopeOfFields } from './budget-form.ts'

const budget = {
  id: 'bud_1',
  name: 'Shop',
  period: 'month',
  amount: 100,
  growth_percent: 0,
  scope: { namespaces: ['shop'], workloads: ['shop/Deployment/cart'] },
  thresholds: { actual: [80], forecast: true },
  parent_id: null,
  share: true,
  amounts: {},
  current: null,
} as unknown as Budget

test('a scope has the fields with values', () => {
  const fields = { ...fieldsOf(undefined), clusters: ['cls_1'], teams: ' red, blue ,red,', labels: 'tier=gold' }
  expect(scopeOfFields(fields)).toEqual({ clusters: ['cls_1'], teams: ['red', 'blue'], labels: ['tier=gold'] })
  expect(scopeOfFields(fieldsOf(undefined))).toEqual({})
})

test('shared cost is a field of the budget and of its history', () => {
  const before = fieldsOf(budget)
  expect(editOf(before, { ...before, share: false })).toEqual({ share: false })
  const change = { at: '', by: '', reason: null, before: { share: true }, after: { share: false } }
  expect(changeLines(change, () => '')).toEqual(['Shared cost included → not included'])
})

test('an edit sends only the changed fields', () => {
  const before = fieldsOf(budget)
  expect(bodyOf(before).scope).toEqual(budget.scope)
  expect(editOf(before, before)).toEqual({})
  expect(editOf(before, { ...before, amount: '120', reason: 'season' })).toEqual({ amount: 120, reason: 'season' })
  expect(editOf(before, { ...before, teams: 'red' }).scope).toEqual({ ...budget.scope, teams: ['red'] })
})

test('a change reads as old and new values', () => {
  const change = { at: '', by: '', reason: null }
  const nameOf = () => 'prod'
  expect(changeLines({ ...change, before: { amount: 50 }, after: { amount: 60 } }, nameOf)).toEqual([
    'Amount $50 → $60',
  ])
  expect(changeLines({ ...change, before: { scope: {} }, after: { scope: { clusters: ['cls_1'] } } }, nameOf)).toEqual([
    'Scope all cost → cluster is prod',
  ])
  expect(
    changeLines({ ...change, before: {}, after: { name: 'Shop', amount: 60, amounts: {}, parent_id: null } }, nameOf),
  ).toEqual(['Amount $60'])
})

test('the form shows the amount of the current period, with its growth', () => {
  const grown = { ...budget, current: { key: '2026-11', amount: 259.37 } } as unknown as Budget
  expect(fieldsOf(grown).amount).toBe('259.37')
  expect(editOf(fieldsOf(grown), { ...fieldsOf(grown), growth: '5' })).toEqual({ growth_percent: 5 })
  expect(fieldsOf({ ...grown, amounts: { '2026-11': 7 } }).amount).toBe('100')
})

test('the history names the parent', () => {
  const change = { at: '', by: '', reason: null, before: { parent_id: null }, after: { parent_id: 'bud_2' } }
  expect(changeLines(change, (id) => (id === 'bud_2' ? 'Company' : id))).toEqual(['Parent none → Company'])
})

test('a budget that does not recur has its first and its last day', () => {
  const once = { ...budget, period: 'once', from: '2026-03-01', to: '2026-04-01' } as unknown as Budget
  expect(fieldsOf(once)).toMatchObject({ from: '2026-03-01', lastDay: '2026-03-31' })
  expect(bodyOf(fieldsOf(once))).toMatchObject({ from: '2026-03-01', to: '2026-04-01' })
  expect(bodyOf(fieldsOf(once))).not.toHaveProperty('amounts')
})

test('amounts of single periods and workloads are lists', () => {
  const fields = {
    ...fieldsOf(undefined),
    amounts: '2026-01=2000, 2026-02 = 2500.5',
    workloads: 'shop/Deployment/cart',
  }
  expect(bodyOf(fields)).toMatchObject({
    amounts: { '2026-01': 2000, '2026-02': 2500.5 },
    scope: { workloads: ['shop/Deployment/cart'] },
  })
  expect(bodyOf({ ...fields, amounts: '2026-01' })).toMatchObject({ amounts: { '2026-01': NaN } })
  const stored = { ...budget, amounts: { '2026-01': 7 } } as unknown as Budget
  expect(fieldsOf(stored).amounts).toBe('2026-01=7')
})
