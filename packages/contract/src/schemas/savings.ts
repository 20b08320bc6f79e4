import { Type, type Static } from 'typebox'
import { Closed, Formed, includeOf, Nullable, pageFields } from './common.ts'
import { Money } from './money.ts'
import { RecommendationGroup } from './recommendation-lists.ts'
import { Recommendation } from './recommendations.ts'

export const savingsGroupings = ['day', 'month', 'cluster', 'namespace', 'rule'] as const
export type SavingsGrouping = (typeof savingsGroupings)[number]

const month = (description: string) =>
  Type.Optional(Formed('^20\\d{2}-(0[1-9]|1[0-2])$', 'a month such as 2026-01', { description, examples: ['2026-01'] }))

export const savingsIncludes = ['days', 'done'] as const

export const SavingsQuery = Closed({
  ...includeOf(savingsIncludes),
  cluster_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
  namespace: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: 'Several with commas' })),
  rule_id: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: 'Several with commas' })),
  from: month('The first month; a year ago without it'),
  to: month('The last month; this one without it'),
  by: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: `${savingsGroupings.join(', ')}; several with commas, month without it. By day, \`verified\` and \`reverted\` are null in every row: they are known by month only`,
    }),
  ),
})

const verified = 'What was observed of them came to so many dollars in it, hour by hour'
const reverted = 'A month, of those that were undone in it'

const money = {
  estimated: Money(
    'A month, of those found in it that are open, approved or done. Each thing once: the newest about it, and before that one only what was verified. What was rejected, replaced or has expired is not counted',
  ),
  left_out: Money(
    'A month, of those found in it that are approved, done or found again and are not in `estimated`, so that each thing is in it once: it was undone, or there is a newer one about the same',
  ),
  bankable: Money('Of `estimated`, what leaves the bill with whole nodes; what was not computed counts as nothing'),
  approved: Money('A month, of those approved in it and not rejected since'),
  approved_bankable: Money('Of `approved`, what leaves the bill with whole nodes'),
  implemented: Money('A month, of those marked as done in it'),
  implemented_bankable: Money('Of `implemented`, what leaves the bill with whole nodes'),
  resolved: Money('A month, of those that somebody did without telling us'),
  observed: Money(
    'A month, of those done in it, told or not, as the cluster shows it now: what is asked for less, at the price of the nodes. What is not seen counts as nothing',
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
          by_verification: Type.Array(RecommendationGroup, { description: 'How many there are in each state' }),
          recommendations: Type.Array(Recommendation, { description: 'Those that take most off the bill first' }),
          ...pageFields,
        },
        {
          description:
            'With `include=done`: implemented and resolved recommendations. `next_cursor` continues in the list of recommendations, with `status=implemented,resolved` and `sort=-bankable_savings`',
        },
      ),
    ),
  },
  { title: 'Savings' },
)

export type SavingsRow = Static<typeof SavingsRow>
export type Savings = Static<typeof Savings>
