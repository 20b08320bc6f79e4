import { decimal } from '@plimsoll/engine'
import { expect, test } from 'vitest'
import { amountIn, spanOn, dayNumberOf } from './budget-span.ts'
import { evaluateBudget, frozenEvaluation, type EvaluatedBudget } from './evaluate-budget.ts'

const june = dayNumberOf(new Date('2026-06-01'))

const aBudget = (change: Partial<EvaluatedBudget> = {}): EvaluatedBudget => ({
  scope: {},
  period: 'month',
  firstDay: null,
  endDay: null,
  amount: '3000.00',
  growthPercent: 0,
  amounts: {},
  thresholds: { actual: [80, 100], forecast: true },
  amountDay: dayNumberOf(new Date('2026-05-10')),
  ...change,
})

/** $100 a day from 1 May through 10 June. */
const history = {
  days: Array.from({ length: 41 }, (_, index) => ({ day: june - 31 + index, usd: decimal('100'), knownHours: 24 })),
  end: new Date('2026-06-11'),
}
const now = new Date('2026-06-11T00:05:00Z')

const kindsOf = (change: Partial<EvaluatedBudget>) => {
  const { crossings, forecast } = evaluateBudget(aBudget(change), history, now)
  return {
    outlook: forecast.outlook,
    crossed: crossings.filter(({ isTrue }) => isTrue).map(({ kind, percent }) => `${kind} ${percent}`),
  }
}

test('a month is what is spent and the forecast of the rest, with its range', () => {
  const { span, forecast } = evaluateBudget(aBudget(), history, now)
  expect(span.key).toBe('2026-06')
  expect(forecast).toMatchObject({ spent: 1000, middle: 3000, band80: { lower: 2965, upper: 3054 }, outlook: 'within' })
})

test.each([
  { amount: '999.00', outlook: 'over', crossed: ['actual 80', 'actual 100'] },
  { amount: '1250.00', outlook: 'sure', crossed: ['actual 80', 'forecast 100'] },
  { amount: '2900.00', outlook: 'sure', crossed: ['forecast 100'] },
  { amount: '2999.00', outlook: 'likely', crossed: [] },
  { amount: '0.00', outlook: 'over', crossed: ['actual 80', 'actual 100'] },
  { amount: '1000000000000.00', outlook: 'within', crossed: [] },
])('an amount of $amount is $outlook and crosses $crossed', ({ amount, outlook, crossed }) => {
  expect(kindsOf({ amount })).toEqual({ outlook, crossed })
})

test('a threshold has one identity in a period, and another one after the amount changed', () => {
  const identities = (amount: string, end: Date) =>
    evaluateBudget(aBudget({ amount }), { ...history, end }, end).crossings.map(({ identity }) => identity)
  const first = identities('1000.00', new Date('2026-06-11'))
  expect(identities('1000.00', new Date('2026-06-11T05:00:00Z'))).toEqual(first)
  expect(identities('1001.00', new Date('2026-06-11'))).not.toEqual(first)
})

test('a scope without data has no forecast and crosses nothing', () => {
  const { forecast, crossings } = evaluateBudget(aBudget({ amount: '0.00' }), { days: [], end: null }, now)
  expect({ forecast, crossings }).toMatchObject({
    forecast: { spent: 0, middle: null, outlook: 'unknown' },
    crossings: [],
  })
})

test('the last hour of a month counts in its month, and a silent cluster does not hold the period', () => {
  const keyAt = (at: string) =>
    evaluateBudget(aBudget(), { ...history, end: new Date('2026-07-01') }, new Date(at)).span.key
  expect(keyAt('2026-07-01T00:30:00Z')).toBe('2026-06')
  expect(keyAt('2026-07-03T00:30:00Z')).toBe('2026-07')
})

test.each([
  { period: 'month', key: '2026-06', amount: '3630' },
  { period: 'quarter', key: '2026-Q2', amount: '3000' },
  { period: 'year', key: '2026', amount: '3000' },
] as const)('the amount of $key grows with each period', ({ period, key, amount }) => {
  const budget = aBudget({ period, growthPercent: 10, amountDay: dayNumberOf(new Date('2026-04-10')) })
  const span = spanOn(budget, june)
  expect(span.key).toBe(key)
  expect(amountIn(budget, span)).toBe(decimal(amount))
  expect(amountIn({ ...budget, amounts: { [key]: 42 } }, span)).toBe(decimal('42'))
})

test('a budget that does not recur has its days as key, and no alerts once it is frozen', () => {
  const once = aBudget({ period: 'once', firstDay: june - 31, endDay: june, amount: '100.00' })
  const { span, crossings } = evaluateBudget(once, history, new Date('2026-06-03T12:00:00Z'))
  expect(span.key).toBe('2026-05-01/2026-06-01')
  expect(crossings.map(({ identity }) => identity.split(' ')[0])).toContain(span.key)
  expect(evaluateBudget(once, history, new Date('2026-06-04')).crossings).toEqual([])
})

test('without a threshold of 100 %, the forecast alert says that the cost exceeds the amount', () => {
  expect(kindsOf({ amount: '999.00', thresholds: { actual: [80], forecast: true } }).crossed).toEqual([
    'actual 80',
    'forecast 100',
  ])
})

test('a frozen budget that does not recur keeps its result after its days are deleted', () => {
  const once = aBudget({ period: 'once', firstDay: june - 31, endDay: june, amount: '2000.00' })
  const after = new Date('2026-06-04T01:00:00Z')
  const { span, forecast } = evaluateBudget(once, history, after)
  const current = { revision: 1, key: span.key, amount: 2000, forecast, evaluatedOn: dayNumberOf(after) }
  const yearsLater = new Date('2028-06-04T01:00:00Z')
  expect(frozenEvaluation(once, current, yearsLater)).toMatchObject({ forecast: { spent: 3100, outlook: 'over' } })
  expect(frozenEvaluation(once, { ...current, evaluatedOn: june }, after)).toBeUndefined()
  expect(frozenEvaluation(once, { ...current, key: 'other days' }, yearsLater)).toBeUndefined()
  expect(frozenEvaluation(aBudget(), current, yearsLater)).toBeUndefined()
})
