import { Value } from 'typebox/value'
import { describe, expect, test } from 'vitest'
import { comparison, ownerFilters, workloadFilter } from './cost-filters.ts'
import { moment, windowNames, windowQuery } from './windows.ts'

const workload = workloadFilter('Workloads')
const { label, controller_kind: kind, team } = ownerFilters

describe('a workload filter', () => {
  test.each(['shop/Deployment/web', 'shop/Deployment/web,shop/CronJob/nightly', 'a/b/c,d/e/f,g/h/i'])(
    '%s is accepted',
    (text) => expect(Value.Check(workload, text)).toBe(true),
  )

  test.each(['', 'web', 'shop/web', 'shop/Deployment/web/x', 'shop/Deployment/', 'shop/Deployment/web,', 'a /b/c'])(
    '"%s" is rejected',
    (text) => expect(Value.Check(workload, text)).toBe(false),
  )
})

describe('a label filter', () => {
  test.each(['team=payments', 'team=', 'app=checkout,tier=backend', 'app.kubernetes.io/part-of=shop'])(
    '%s is accepted',
    (text) => expect(Value.Check(label, text)).toBe(true),
  )

  test.each(['', 'team', '=payments', 'team=a=b', 'team=a,', 'team=a b'])('"%s" is rejected', (text) =>
    expect(Value.Check(label, text)).toBe(false),
  )
})

test('lists are limited in length', () => {
  expect(Value.Check(team, 'a'.repeat(2000))).toBe(true)
  expect(Value.Check(team, 'a'.repeat(2001))).toBe(false)
  expect(Value.Check(kind, 'a'.repeat(501))).toBe(false)
  expect(Value.Check(workload, `a/b/${'c'.repeat(1997)}`)).toBe(false)
})

test('a comparison uses no window, the previous window or the same window a year earlier', () => {
  const schema = comparison('Default: none')
  expect(['none', 'previous', 'year', 'week', ''].filter((text) => Value.Check(schema, text))).toEqual([
    'none',
    'previous',
    'year',
  ])
})

describe('a window', () => {
  test.each(windowNames)('%s is accepted', (name) => expect(Value.Check(windowQuery.window, name)).toBe(true))

  test.each(['', '1d', '24H', 'custom', 'yesterday'])('"%s" is rejected', (name) =>
    expect(Value.Check(windowQuery.window, name)).toBe(false),
  )
})

describe('a time', () => {
  const schema = moment('the start')

  test.each(['2026-01-31T09:30:00Z', '2026-01-31T09:30:00.123Z', '2026-01-31T09:30:00+02:00'])(
    '%s is accepted',
    (text) => expect(Value.Check(schema, text)).toBe(true),
  )

  test.each(['', '2026-01-31', '2026-13-01T00:00:00Z', '2026-01-31 09:30', 'now'])('"%s" is rejected', (text) =>
    expect(Value.Check(schema, text)).toBe(false),
  )
})
