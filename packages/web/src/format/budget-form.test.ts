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
} as unknown as Budget

test('a scope has the fields with values', () => {
  const fields = { ...fieldsOf(undefined), clusters: ['cls_1'], teams: ' red, blue ,red,', labels: 'tier=gold' }
  expect(scopeOfFields(fields)).toEqual({ clusters: ['cls_1'], teams: ['red', 'blue'], labels: ['tier=gold'] })
  expect(scopeOfFields(fieldsOf(undefined))).toEqual({})
})

test('an edit sends only the changed fields, and keeps the workloads of the scope', () => {
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
