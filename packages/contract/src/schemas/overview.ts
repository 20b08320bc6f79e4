import { Type, type Static } from 'typebox'
import { Condition, clusterStatuses, type ClusterStatus } from './clusters.ts'
import { Closed, Nullable, Timestamp } from './common.ts'
import { classFields } from './costs.ts'
import { Money } from './money.ts'
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
  compute: Type.Object({ ...classFields, total: Money() }, { description: 'A month, by the last 24 written hours' }),
  hours: Type.Integer({
    description: 'How many of the last 24 hours are written; 0: nothing is known of its compute yet',
  }),
  usage_coverage: Nullable(
    Type.Number({ minimum: 0, maximum: 1 }),
    'Which part of the containers’ time was measured, by their CPU; null without any. The cost of the rest is `compute.unmeasured`',
  ),
  last_seen_at: Nullable(Timestamp),
  conditions: Type.Array(Condition, { description: 'Those that do not hold, and where use is measured' }),
})

const Mover = Type.Object(
  {
    cluster_id: Type.String(),
    kind: Type.Unsafe<MoverKind>({ type: 'string', enum: [...moverKinds] }),
    namespace: Type.String({ description: 'Empty for what is no workload' }),
    workload_kind: Type.String(),
    name: Type.String(),
    before: Money('A month, by the same 24 hours a week before'),
    now: Money('A month, by the last 24 hours'),
    change: Money('A month'),
    cause: Type.String({ description: 'For people: what else has changed' }),
  },
  { title: 'Mover' },
)

export const Overview = Type.Object(
  {
    as_of: Nullable(Timestamp, 'The end of the newest hour in the figures; null without one'),
    currency: Type.String(),
    clusters: Type.Array(OverviewCluster, { description: 'The most expensive first' }),
    run_rate: Type.Object(
      {
        total: Money('What the clusters cost a month: the sum of their `monthly_cost`'),
        compute: Money(),
        storage: Money(),
        load_balancer: Money(),
        overhead: Money('Control planes'),
        unpriced_parts: Type.Array(Type.Unsafe<CostPart>({ type: 'string', enum: [...costParts] }), {
          description: 'Which of these leave something out that has no price: it is in no sum, and not free',
        }),
      },
      { description: 'A month. Clusters with less than a day of hours are in the total by their list prices alone' },
    ),
    week: Nullable(
      Type.Object({ before: Money(), now: Money() }),
      'The same 24 hours of the week before and now, of clusters that were there then; null without any',
    ),
    not_compared: Type.Array(Type.String(), {
      description:
        'Ids of clusters that cost something and of which nothing is known a week before: they are in no comparison with it',
    }),
    compute: Type.Object({ ...classFields, total: Money() }, { description: 'A month, all clusters together' }),
    trend: Type.Array(
      Type.Object({
        from: Timestamp,
        hours: Type.Integer({ description: 'How many of them are known, of all clusters' }),
        total: Nullable(Money(), 'A month at the rate of this day; null: nothing is known of it'),
        joined: Type.Array(Type.String(), {
          description:
            'Ids of clusters whose first hour is in this day, others having been there before: from here on they are in the total',
        }),
      }),
      { maxItems: 31, description: 'By UTC day; each cluster counts with the hours that are known of it' },
    ),
    movers: Type.Array(Mover, { maxItems: 8, description: 'What has changed most since the week before' }),
    other_change: Money('What all others have changed together'),
    recommendations: Nullable(
      Type.Object({
        open: Type.Integer({ description: 'Those that nobody has decided on yet' }),
        approved: Type.Integer({ description: 'Those that somebody approved and nobody has done yet' }),
        estimated_savings: Money('A month, of the open ones'),
        bankable_savings: Nullable(Money(), 'A month, of the open ones; null: computed for none of them'),
        compute: Type.Object(
          {
            estimated_savings: Money('A month'),
            bankable_savings: Nullable(Money(), 'A month; null: computed for none of them'),
          },
          {
            description:
              'What the open and the approved ones would take off the cost of compute: without volumes, balancers and control planes',
          },
        ),
        withheld: Type.Integer({ description: 'About so many no advice is given, see recommendations/withheld' }),
        top: Type.Array(Recommendation, { maxItems: 5 }),
      }),
      'Null for a caller without recommendations:read',
    ),
  },
  { title: 'Overview' },
)

export const OverviewQuery = Closed({
  cluster_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'One cluster; all that the role sees without it' }),
  ),
})

export type Overview = Static<typeof Overview>
export type Mover = Static<typeof Mover>
export type OverviewCluster = Static<typeof OverviewCluster>
