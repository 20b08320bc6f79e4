import { Type, type Static } from 'typebox'
import {
  Closed,
  ClusterId,
  clusterIdPattern,
  Formed,
  ItemEtag,
  Name,
  NamespaceName,
  namespacePattern,
  Nullable,
  Timestamp,
  VisibleText,
} from './common.ts'
import { workloadFilter } from './cost-filters.ts'
import { Money } from './money.ts'
import { teamPattern } from './team-mapping.ts'

export const budgetsMax = 1_000
export const budgetAmountMax = 1e12

export const budgetPeriods = ['month', 'quarter', 'year', 'once'] as const
export type BudgetPeriod = (typeof budgetPeriods)[number]

export const outlooks = ['over', 'sure', 'likely', 'within', 'unknown'] as const
export type Outlook = (typeof outlooks)[number]

const some = <T extends Parameters<typeof Type.Array>[0]>(item: T, description: string) =>
  Type.Optional(Type.Array(item, { minItems: 1, maxItems: 100, uniqueItems: true, description }))

/** Keys of labels start with a letter or digit; other names are those of dimensions, such as `__team__`. */
const labelPattern = '[A-Za-z0-9][^=,\\s]{0,316}=[^=,\\s]{0,63}'
const scopeTeamPattern = `(__none__|${teamPattern})`

export const CostScope = Closed(
  {
    clusters: some(ClusterId('A cluster ID'), 'Cluster IDs'),
    namespaces: some(NamespaceName, 'Namespaces'),
    teams: some(
      Formed(`^${scopeTeamPattern}$`, 'a team or `__none__`', { description: 'Name of a team' }),
      'Teams; `__none__` is unowned cost',
    ),
    labels: some(
      Formed(`^${labelPattern}$`, 'a label as key=value', { description: 'A label as key=value' }),
      'Labels as key=value. Values of one key are alternatives',
    ),
    workloads: some(
      Formed('^[^/,\\s]{1,63}/[^/,\\s]{1,253}/[^/,\\s]{1,253}$', 'namespace/kind/name', {
        description: 'namespace/kind/name',
      }),
      'Workloads as namespace/kind/name',
    ),
  },
  {
    title: 'CostScope',
    description:
      'All given fields must match; the values of a field are alternatives. Without fields other than `clusters`: the total cost, with idle cost',
  },
)
export type CostScope = Static<typeof CostScope>

const Amount = Type.Number({ minimum: 0, maximum: budgetAmountMax, description: 'US dollars per period' })
const Day = Formed('^20\\d{2}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$', 'a date as YYYY-MM-DD, in UTC', {
  description: 'A date in UTC',
})
const Period = Type.Unsafe<BudgetPeriod>({
  type: 'string',
  enum: [...budgetPeriods],
  description: 'Calendar periods in UTC; `once` needs `from` and `to`',
})
const Amounts = Type.Unsafe<Record<string, number>>({
  type: 'object',
  maxProperties: 100,
  propertyNames: Formed('^20\\d{2}(-(0[1-9]|1[0-2])|-Q[1-4])?$', 'a period such as 2026-01, 2026-Q1 or 2026'),
  additionalProperties: Amount,
  description: 'Amounts of single periods instead of `amount`, such as 2026-01, 2026-Q1 or 2026',
})
const Growth = Type.Number({ minimum: -100, maximum: 1_000, description: 'Growth of `amount` per period, in percent' })
const Thresholds = Closed(
  {
    actual: Type.Array(Type.Number({ exclusiveMinimum: 0, maximum: 1_000 }), {
      maxItems: 5,
      uniqueItems: true,
      description: 'Percent of the amount that is spent',
    }),
    forecast: Type.Boolean({ description: 'The low end of the 80 % forecast range is above the amount' }),
  },
  { description: 'Each threshold sends one alert per period, and one more when the amount changes' },
)
const Reason = VisibleText({ maxLength: 500, description: 'Why; kept in the history' })
const ParentId = Nullable(
  Formed('^bud_[0-9a-z]{1,64}$', 'a budget ID', { description: 'A budget ID' }),
  'The budget that contains this one; null: none',
)

const Share = Type.Boolean({
  description:
    'Count shared cost, as statements do (`/api/v1/cost-sharing`); default. False: only the cost of the scope itself',
})

const fields = {
  scope: Type.Optional(CostScope),
  share: Type.Optional(Share),
  growth_percent: Type.Optional(Growth),
  amounts: Type.Optional(Amounts),
  from: Type.Optional(Day),
  to: Type.Optional(Type.Unsafe<string>({ ...Day, description: 'Exclusive, a date in UTC' })),
  thresholds: Type.Optional(Thresholds),
  parent_id: Type.Optional(ParentId),
  reason: Type.Optional(Reason),
}

export const CreateBudgetBody = Closed(
  { name: Name, period: Period, amount: Amount, ...fields },
  {
    title: 'CreateBudgetBody',
    examples: [{ name: 'Storefront', period: 'month', amount: 6600, scope: { teams: ['storefront'] } }],
  },
)

export const UpdateBudgetBody = Closed(
  { name: Type.Optional(Name), amount: Type.Optional(Amount), ...fields },
  { title: 'UpdateBudgetBody', minProperties: 1, examples: [{ amount: 7000, reason: 'holiday season' }] },
)

const Band = Type.Object({ lower: Money(), upper: Money() })

export const Forecast = Type.Object(
  {
    from: Timestamp,
    to: Timestamp,
    as_of: Nullable(Timestamp, 'End of the last finalised hour; null: no data'),
    spent: Money('Cost from `from` through `as_of`'),
    middle: Nullable(Money(), 'Expected cost of the whole period; null: fewer than 7 days of data'),
    band80: Nullable(Band, '80 % of outcomes'),
    band95: Nullable(Band, '95 % of outcomes'),
    known_days: Type.Integer({ description: 'Days with data that the forecast uses, at most 112' }),
    outlook: Nullable(
      Type.Unsafe<Outlook>({ type: 'string', enum: [...outlooks] }),
      '`over`: more than the amount is spent · `sure`: the low end of the 80 % range is above the amount · `likely`: the expected cost is above it for three days · null: no amount',
    ),
  },
  { title: 'Forecast' },
)
export type Forecast = Static<typeof Forecast>

/** At most 100 values, as in a scope. */
const list = (pattern: string, values: string) =>
  Type.Optional(
    Formed(`^${pattern}(,${pattern}){0,99}$`, `${values}, comma-separated, at most 100`, {
      minLength: 1,
      maxLength: 2_000,
      description: `Comma-separated ${values}`,
    }),
  )

export const ForecastQuery = Closed({
  clusters: list(clusterIdPattern, 'cluster IDs'),
  namespaces: list(namespacePattern, 'namespaces'),
  teams: list(scopeTeamPattern, 'teams'),
  labels: list(labelPattern, 'labels as key=value'),
  workloads: workloadFilter('Comma-separated workloads as namespace/kind/name'),
  period: Type.Optional(
    Type.Unsafe<'month' | 'quarter' | 'year'>({ type: 'string', enum: ['month', 'quarter', 'year'] }),
  ),
  amount: Type.Optional(Amount),
  share: Type.Optional(
    Type.Unsafe<'statements'>({
      type: 'string',
      enum: ['statements'],
      description: 'Count shared cost, as statements and budgets do',
    }),
  ),
})

const PastPeriod = Type.Object(
  {
    key: Type.String({ examples: ['2026-10'] }),
    from: Timestamp,
    to: Timestamp,
    amount: Money(),
    usd: Money(),
    frozen: Type.Boolean({ description: 'Frozen three days after its end: neither cost nor amount change' }),
    hours: Type.Integer({ description: 'Hours of the period' }),
    hours_with_data: Nullable(Type.Integer(), 'With several clusters, their mean by cost. Null: unknown'),
  },
  { title: 'BudgetPeriod' },
)

export const Budget = Type.Object(
  {
    id: Type.String({ examples: ['bud_01k3v7m9q2x4t6b8n0d2f4h6j8'] }),
    name: Type.String(),
    scope: CostScope,
    share: Share,
    period: Period,
    from: Nullable(Type.String(), 'Only of `once`'),
    to: Nullable(Type.String(), 'Only of `once`, exclusive'),
    amount: Money('Amount of the period in which it was set; later periods add `growth_percent`'),
    growth_percent: Type.Number(),
    amounts: Amounts,
    thresholds: Thresholds,
    parent_id: Nullable(Type.String()),
    current: Nullable(
      Type.Object({ key: Type.String(), amount: Money('Amount of the period'), forecast: Forecast }),
      'The period of the last evaluation; null: not evaluated yet',
    ),
    unassigned: Nullable(
      Money(),
      'Amount minus the amounts of its children; negative: more than the amount. Null: no children',
    ),
    past: Type.Array(PastPeriod, { description: 'Earlier periods with data, newest first, at most 12' }),
    created_at: Timestamp,
    updated_at: Timestamp,
    etag: ItemEtag,
  },
  { title: 'Budget' },
)
export type Budget = Static<typeof Budget>

const Counts = Type.Unsafe<Record<Outlook, number>>({
  type: 'object',
  additionalProperties: { type: 'integer' },
  description: 'Budgets by outlook',
})

export const BudgetStates = Type.Object({
  counts: Counts,
  exceeding: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      outlook: Type.Unsafe<Outlook>({ type: 'string', enum: [...outlooks] }),
      amount: Money('Amount of the period'),
      spent: Money(),
      expected: Nullable(Money(), 'Expected cost of the period; null: fewer than 7 days of data'),
    }),
    {
      description:
        'Budgets that the cost exceeds, or is certain or likely to exceed: the most certain first, at most 3',
    },
  ),
})
export type BudgetStates = Static<typeof BudgetStates>

export const BudgetList = Type.Object(
  {
    budgets: Type.Array(Budget, { description: 'By name' }),
    counts: Counts,
  },
  { title: 'BudgetList' },
)
export type BudgetList = Static<typeof BudgetList>

export const PreviewBudgetBody = Closed(
  {
    scope: Type.Optional(CostScope),
    share: Type.Optional(Share),
    period: Type.Optional(Period),
    amount: Type.Optional(Amount),
  },
  { title: 'PreviewBudgetBody', examples: [{ scope: { teams: ['storefront'] } }] },
)

export const BudgetPreview = Type.Object(
  {
    forecast: Forecast,
    matches: Type.Object({
      workloads: Type.Integer({ description: 'Workloads with cost in the last 24 complete hours' }),
      usd_per_day: Money('Cost of these hours'),
    }),
    periods: Type.Array(
      Type.Object({
        key: Type.String({ examples: ['2026-10'] }),
        usd: Money(),
        over: Nullable(Type.Boolean(), 'Null: no amount'),
      }),
      { description: 'At most twelve complete periods with data, newest first. Empty for `once`' },
    ),
    suggested_amount: Nullable(
      Money(),
      'Mean of the last three complete months + 10 %, for the months of a period. Null: no such month, or `once`',
    ),
  },
  { title: 'BudgetPreview' },
)
export type BudgetPreview = Static<typeof BudgetPreview>

export const BudgetHistory = Type.Object(
  {
    changes: Type.Array(
      Type.Object({
        at: Timestamp,
        by: Type.String({ description: 'E-mail address of the user, or `deleted user`' }),
        reason: Nullable(Type.String()),
        before: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
        after: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
      }),
      { description: 'Newest first, at most 200' },
    ),
  },
  { title: 'BudgetHistory' },
)

export type BudgetHistory = Static<typeof BudgetHistory>
export type CreateBudgetBody = Static<typeof CreateBudgetBody>
export type UpdateBudgetBody = Static<typeof UpdateBudgetBody>
