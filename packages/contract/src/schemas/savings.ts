import { Type, type Static } from 'typebox'
import { Closed, Formed, includeOf, Nullable, pageFields } from './common.ts'
import { Money } from './money.ts'
import { RecommendationGroup } from './recommendation-lists.ts'
import { Recommendation } from './recommendations.ts'
import { StepSavingsList } from './step-savings.ts'

export const savingsGroupings = ['day', 'month', 'cluster', 'namespace', 'rule'] as const
export type SavingsGrouping = (typeof savingsGroupings)[number]

const month = (description: string) =>
  Type.Optional(Formed('^20\\d{2}-(0[1-9]|1[0-2])$', 'a month such as 2026-01', { description, examples: ['2026-01'] }))

export const savingsIncludes = ['days', 'done', 'steps'] as const

export const SavingsQuery = Closed({
  ...includeOf(savingsIncludes),
  cluster_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  namespace: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: 'Several comma-separated' })),
  rule_id: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: 'Several comma-separated' })),
  from: month('First month; default: a year ago'),
  to: month('Last month; default: the current month'),
  by: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: `${savingsGroupings.join(', ')}; several comma-separated; default: month. By day, \`verified\` and \`reverted\` are null, because they are known only by month`,
    }),
  ),
})

const verified = 'Realized savings in the period, in USD, added up by hour'
const reverted = 'USD per month, of the changes reverted in the period'

const money = {
  estimated: Money(
    'Estimated savings (USD per month) of the recommendations found in the period that are open, approved or implemented. Each object counts once, with its latest recommendation; earlier ones count only if verified. Rejected, superseded and expired ones do not count',
  ),
  left_out: Money(
    'USD per month that `estimated` excludes, because each object counts once: reverted changes and replaced recommendations',
  ),
  bankable: Money('Bankable part of `estimated`; values that were not computed count as 0'),
  approved: Money('USD per month, of the recommendations approved in the period and not rejected since'),
  approved_bankable: Money('Bankable part of `approved`'),
  implemented: Money('USD per month, of the recommendations marked as implemented in the period'),
  implemented_bankable: Money('Bankable part of `implemented`'),
  resolved: Money('USD per month, of the changes observed in the cluster without being marked as implemented'),
  observed: Money(
    'USD per month, of the changes made in the period, as currently observed: freed requests at node prices. Changes that are not observed count as 0',
  ),
  verified: Money(verified),
  reverted: Money(reverted),
}

export const SavingsRow = Type.Object(
  {
    day: Type.Optional(Type.String({ description: 'In UTC; with `by=day`', examples: ['2026-01-31'] })),
    month: Type.Optional(Type.String({ description: 'In UTC; with `by=month`', examples: ['2026-01'] })),
    cluster_id: Type.Optional(Type.String()),
    namespace: Type.Optional(Type.String()),
    rule_id: Type.Optional(Type.String()),
    ...money,
    verified: Nullable(money.verified, `${verified}. Null by day`),
    reverted: Nullable(money.reverted, `${reverted}. Null by day`),
  },
  { title: 'SavingsRow' },
)

export const Savings = Type.Object(
  {
    currency: Type.String(),
    from: Type.String(),
    to: Type.String(),
    rows: Type.Array(SavingsRow),
    total: Type.Object(money),
    days: Type.Optional(Type.Array(SavingsRow, { description: 'With `include=days`: the same by day' })),
    done: Type.Optional(
      Type.Object(
        {
          by_verification: Type.Array(RecommendationGroup, { description: 'Number in each state' }),
          recommendations: Type.Array(Recommendation, { description: 'By bankable savings, highest first' }),
          ...pageFields,
        },
        {
          description:
            'With `include=done`: implemented and resolved recommendations. `next_cursor` continues in the list of recommendations, with `status=implemented,resolved` and `sort=-bankable_savings`',
        },
      ),
    ),
    steps: Type.Optional(StepSavingsList),
  },
  { title: 'Savings' },
)

export type SavingsRow = Static<typeof SavingsRow>
export type Savings = Static<typeof Savings>
