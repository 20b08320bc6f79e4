import { Type, type Static } from 'typebox'
import { Alert } from './alerts.ts'
import { BudgetStates } from './budgets.ts'
import { Condition, clusterStatuses, type ClusterStatus } from './clusters.ts'
import { Closed, Nullable, Timestamp } from './common.ts'
import { classFields } from './costs.ts'
import { Money } from './money.ts'
import { PlanSummary, UnsafeNow } from './plans.ts'
import { Recommendation } from './recommendations.ts'

export const moverKinds = ['workload', 'cluster_idle', 'storage', 'load_balancer', 'overhead'] as const
export type MoverKind = (typeof moverKinds)[number]

export const costParts = ['compute', 'storage', 'load_balancer', 'overhead'] as const
type CostPart = (typeof costParts)[number]

const OverviewCluster = Type.Object({
  id: Type.String(),
  name: Type.String(),
  provider: Type.String(),
  region: Type.String(),
  status: Type.Unsafe<ClusterStatus>({ type: 'string', enum: [...clusterStatuses] }),
  node_count: Type.Integer(),
  monthly_cost: Money('As in the list of clusters'),
  compute: Type.Object(
    { ...classFields, total: Money() },
    { description: 'USD per month, from the last 24 complete hours' },
  ),
  hours: Type.Integer({
    description: 'How many of the last 24 hours are complete; 0: compute cost is unknown',
  }),
  usage_coverage: Nullable(
    Type.Number({ minimum: 0, maximum: 1 }),
    'Share of container time with CPU usage data in the last 24 complete hours; null without containers. The cost of the rest is `compute.unmeasured`',
  ),
  last_seen_at: Nullable(Timestamp),
  conditions: Type.Array(Condition, { description: 'Failing conditions, and the condition of the usage source' }),
})

const Mover = Type.Object(
  {
    cluster_id: Type.String(),
    kind: Type.Unsafe<MoverKind>({ type: 'string', enum: [...moverKinds] }),
    namespace: Type.String({ description: 'Empty if the object is not a workload' }),
    workload_kind: Type.String(),
    name: Type.String(),
    before: Money('USD per month, from the same 24 hours one week earlier'),
    now: Money('USD per month, from the last 24 hours'),
    change: Money('A month'),
    cause: Type.String({ description: 'Other changes, for display' }),
  },
  { title: 'Mover' },
)

export const Overview = Type.Object(
  {
    as_of: Nullable(Timestamp, 'End of the last processed hour; null without data'),
    currency: Type.String(),
    clusters: Type.Array(OverviewCluster, { description: 'Most expensive first' }),
    run_rate: Type.Object(
      {
        total: Money('USD per month: total of `monthly_cost` of all clusters'),
        compute: Money(),
        storage: Money(),
        load_balancer: Money(),
        overhead: Money('Control planes'),
        unpriced_parts: Type.Array(Type.Unsafe<CostPart>({ type: 'string', enum: [...costParts] }), {
          description:
            'Parts with resources that are not priced: in no amount, but not free. `compute` is nodes, `storage` is volumes, `overhead` is control planes. In `allocation` the last three are one part, `assets`',
        }),
      },
      {
        description:
          'USD per month; the parts add up to `total`. Clusters with less than one day of data count with the list prices of their nodes, volumes and load balancers',
      },
    ),
    week: Nullable(
      Type.Object({ before: Money(), now: Money() }),
      'Run rate of the last 24 hours and of the same hours one week earlier. Only clusters with data in both; null if there are none',
    ),
    incidents: Type.Optional(
      Type.Array(Alert, {
        description: 'The newest open incidents, at most five. Absent without the permission `alerts:read`',
      }),
    ),
    budgets: Type.Optional(BudgetStates),
    not_compared: Type.Array(Type.String(), {
      description: 'IDs of clusters without data one week earlier: excluded from the comparison',
    }),
    compute: Type.Object({ ...classFields, total: Money() }, { description: 'USD per month, total of all clusters' }),
    trend: Type.Array(
      Type.Object({
        from: Timestamp,
        hours: Type.Integer({ description: 'Hours with data, over all clusters' }),
        total: Nullable(Money(), 'USD per month at the rate of this day; null without data'),
        joined: Type.Array(Type.String(), {
          description: 'IDs of clusters whose first data is on this day. The total includes them from this day on',
        }),
      }),
      { maxItems: 31, description: 'By UTC day; each cluster counts with its hours with data' },
    ),
    movers: Type.Array(Mover, { maxItems: 8, description: 'Largest changes since the previous week' }),
    other_change: Money('Total change of all others'),
    recommendations: Nullable(
      Type.Object({
        open: Type.Integer({ description: 'Pending recommendations' }),
        approved: Type.Integer({ description: 'Approved recommendations that are not implemented' }),
        estimated_savings: Money('USD per month, of the open recommendations'),
        bankable_savings: Nullable(Money(), 'USD per month, of the open recommendations; null: not computed'),
        compute: Type.Object(
          {
            estimated_savings: Money('A month'),
            bankable_savings: Nullable(Money(), 'USD per month; null: not computed'),
          },
          {
            description:
              'Savings of pending and approved recommendations on compute cost, without volumes, load balancers and control planes',
          },
        ),
        withheld: Type.Integer({ description: 'Number of withheld recommendations, see recommendations/withheld' }),
        unsafe: Type.Optional(UnsafeNow),
        plan: Type.Optional(PlanSummary),
        top: Type.Array(Recommendation, { maxItems: 5 }),
      }),
      'Null without recommendations:read',
    ),
  },
  { title: 'Overview' },
)

export const OverviewQuery = Closed({
  cluster_id: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'One cluster; default: all clusters that the role can see',
    }),
  ),
})

export type Overview = Static<typeof Overview>
export type Mover = Static<typeof Mover>
export type OverviewCluster = Static<typeof OverviewCluster>
