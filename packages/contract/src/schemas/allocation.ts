import { Type, type Static } from 'typebox'
import { Closed, Formed, Nullable, Timestamp, workloadPattern } from './common.ts'
import { classFields } from './costs.ts'
import { Money } from './money.ts'
import { DataStatus, partialFields, Window, windowQuery } from './windows.ts'

export const allocationSteps = ['none', 'hour', 'day'] as const
export const sharings = ['none', 'even', 'proportional', 'weighted'] as const
export const namespaceSharings = ['proportional', 'even', 'weighted'] as const

const list = (description: string, maxLength = 2000) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, description }))

const choice = <Choice extends string>(choices: readonly Choice[], description: string) =>
  Type.Optional(Type.Unsafe<Choice>({ type: 'string', enum: [...choices], default: choices[0], description }))

export const allocationRowsMax = { perStep: 1000, default: 1000, defaultOfSteps: 50 }

const allocationTrends = ['hour', 'day'] as const
export type AllocationTrend = (typeof allocationTrends)[number]
export const allocationTrendRows = 8

export const AllocationQuery = Closed({
  ...windowQuery,
  cluster_id: list('One cluster; all that the role sees without it', 100),
  by: list(
    'One or several, separated by commas: `namespace`, `workload`, `controller_kind`, `team`, `label:<key>`, or `node`, `node_pool`, ' +
      'or `none`. What ran on which node is not stored, so workloads and nodes cannot be combined. `namespace` without it',
    1000,
  ),
  step: choice(allocationSteps, 'Cut the window into hours (at most 7 days of them) or UTC days'),
  trend: Type.Optional(
    Type.Unsafe<AllocationTrend>({
      type: 'string',
      enum: [...allocationTrends],
      description: `Answer the course of the window besides, in such steps, each with its ${allocationTrendRows} largest rows. Left out for a large cluster with many groups and steps`,
    }),
  ),
  share_idle: choice(
    sharings,
    'Hand idle cost to those who run something, within each cluster and step: `even` to each row alike, `proportional` to ' +
      'what it costs, `weighted` by share_weights. It changes who pays and never the sum',
  ),
  share_overhead: choice(sharings, 'The same for overhead, such as the fee for the control plane'),
  share_namespaces: list(
    'Namespaces that serve the others, separated by commas: what they cost is handed to the others, before idle cost and overhead are',
  ),
  share_namespaces_by: choice(namespaceSharings, 'How, as for share_idle'),
  share_weights: list(
    'Whole weights of the rows, such as `shop=3,data=1`, for one dimension; a row that is not named gets nothing',
  ),
  namespace: list(
    'Only these, separated by commas; `__idle__`, `__unmounted__`, `__unattached__` and `__overhead__` belong to nobody. ' +
      'Applied after sharing',
  ),
  workload: Type.Optional(
    Formed(
      `^${workloadPattern}(,${workloadPattern})*$`,
      'namespace/kind/name, or several of them separated by commas',
      {
        minLength: 1,
        maxLength: 2000,
        description: 'Only these, as namespace/kind/name, separated by commas. Applied after sharing',
        examples: ['shop/Deployment/checkout'],
      },
    ),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: allocationRowsMax.perStep,
      description: 'Rows of each step; the others are summed up in `rest`. 1000, or 50 with steps, without it',
    }),
  ),
})

const costFields = {
  total: Money(),
  cpu: Money(),
  memory: Money(),
  gpu: Money(),
  storage: Money('Volumes'),
  load_balancer: Money(),
  overhead: Money('Of the line `overhead` only; what was handed on is in `shared_overhead`'),
  shared_idle: Money('Idle cost that was handed to it'),
  shared_overhead: Money('Overhead that was handed to it'),
  shared_namespaces: Money('What shared namespaces cost and was handed to it; it is in none of the classes'),
}

export type Sharing = (typeof sharings)[number]
export type NamespaceSharing = (typeof namespaceSharings)[number]

const unpricedParts = ['compute', 'assets'] as const
export type UnpricedPart = (typeof unpricedParts)[number]

const AllocationCost = Type.Object({
  ...costFields,
  ...classFields,
  efficiency: Nullable(
    Type.Number({ minimum: 0, maximum: 1 }),
    'Of what was asked for, how much was used, by cost. CPU and memory only: use of GPUs is not measured. Null where nobody asked',
  ),
  estimated: Money('How much of it rests on estimated prices'),
  unpriced: Type.Boolean({ description: 'Some of it has no price and is not in these sums' }),
  unpriced_parts: Type.Array(Type.Unsafe<UnpricedPart>({ type: 'string', enum: [...unpricedParts] }), {
    description:
      'Of what: `compute` is nodes, `assets` are volumes, balancers and control planes. What shared namespaces handed to it is not told apart',
  }),
})

const AllocationStep = Type.Object({
  from: Timestamp,
  to: Timestamp,
  has_data: Type.Optional(
    Type.Boolean({
      description: 'False: no cluster of the answer has data in this step, so its sums of 0 are unknown',
    }),
  ),
  total: Money('The rows, the rest and what belongs to nobody. Without filters: what everything costs'),
  rows: Type.Array(
    Type.Object({
      names: Type.Unsafe<Record<string, string>>({
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'One per dimension; `__none__` where it has no such label or team, and for what is on no node',
      }),
      cost: AllocationCost,
    }),
    { description: 'Largest first' },
  ),
  rest: Type.Object({ rows: Type.Integer(), cost: AllocationCost }),
  idle: Nullable(
    AllocationCost,
    'Capacity that nobody asked for. Null where it is shared, filtered out, in the rows of its nodes, or not for a role of some namespaces',
  ),
  unmounted: Nullable(AllocationCost, 'Volumes while nothing mounts them. Null without any, and as `idle`'),
  unattached: Nullable(AllocationCost, 'Balancers while no pod is ready behind them. Null without any, and as `idle`'),
  overhead: Nullable(AllocationCost, 'What serves everybody. Null where it is shared, and as `idle`'),
})

export const Allocation = Type.Object(
  {
    window: Window,
    currency: Type.String(),
    cluster_ids: Type.Array(Type.String()),
    ...partialFields,
    data_status: DataStatus,
    by: Type.Array(Type.String()),
    step: Type.Unsafe<(typeof allocationSteps)[number]>({ type: 'string', enum: [...allocationSteps] }),
    share_idle: Type.Unsafe<(typeof sharings)[number]>({ type: 'string', enum: [...sharings] }),
    share_overhead: Type.Unsafe<(typeof sharings)[number]>({ type: 'string', enum: [...sharings] }),
    share_namespaces: Type.Array(Type.String()),
    share_namespaces_by: Type.Unsafe<(typeof namespaceSharings)[number]>({
      type: 'string',
      enum: [...namespaceSharings],
    }),
    total: Money('Of all steps'),
    steps: Type.Array(AllocationStep),
    trend: Type.Optional(
      Type.Object({ step: Type.String(), steps: Type.Array(AllocationStep) }, { description: 'With `trend`' }),
    ),
  },
  { title: 'Allocation', description: '`workload`, `workload_idle` and `cluster_idle` are classes of compute' },
)

export type Allocation = Static<typeof Allocation>
