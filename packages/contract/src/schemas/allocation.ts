import { Type, type Static } from 'typebox'
import { Changes } from './changes.ts'
import { Closed, includeOf, Nullable, Timestamp } from './common.ts'
import { clustersFilter, comparison, list, ownerFilters, workloadFilter } from './cost-filters.ts'
import { classFields } from './costs.ts'
import { Money } from './money.ts'
import { DataStatus, moment, partialFields, Window, windowQuery } from './windows.ts'

export const allocationSteps = ['none', 'hour', 'day'] as const
export type AllocationStep = (typeof allocationSteps)[number]
export const sharings = ['none', 'even', 'proportional', 'weighted'] as const
export const namespaceSharings = ['proportional', 'even', 'weighted'] as const

const choice = <Choice extends string>(choices: readonly Choice[], description: string) =>
  Type.Optional(Type.Unsafe<Choice>({ type: 'string', enum: [...choices], default: choices[0], description }))

export const allocationRowsMax = { perStep: 1000, default: 1000, defaultOfSteps: 50 }

const allocationTrends = ['hour', 'day'] as const
export type AllocationTrend = (typeof allocationTrends)[number]
export const allocationTrendRows = 8

/** Rows of the second level, in each row of the first and in all of them. `rest` sums up the others. */
export const allocationNestedRows = { perRow: 50, all: 5000 }

export const AllocationQuery = Closed({
  ...windowQuery,
  cluster_id: list('One cluster; default: all clusters that the role can see', 100),
  by: list(
    'One or more, comma-separated: `cluster`, `namespace`, `workload`, `controller_kind`, `team`, `label:<key>`, or `node`, `node_pool`, ' +
      'or `none`; default: `namespace`. Cost per workload and node is not stored, so workloads and nodes cannot be combined. ' +
      'With `cluster` alone, or as the first level of `group_by`, the row of a cluster is its whole cost, including idle cost and overhead',
    1000,
  ),
  group_by: list(
    'One or two of the dimensions of `by`, comma-separated, instead of `by`. With two, each row contains its rows of the ' +
      'second dimension',
    1000,
  ),
  step: choice(allocationSteps, 'Split the window into hours (at most 7 days) or UTC days'),
  trend: Type.Optional(
    Type.Unsafe<AllocationTrend>({
      type: 'string',
      enum: [...allocationTrends],
      description: `Add a trend over the window in steps of this length, each with the ${allocationTrendRows} largest rows of the window. Omitted for a large cluster with many groups and steps`,
    }),
  ),
  share: Type.Optional(
    Type.Unsafe<'statements'>({
      type: 'string',
      enum: ['statements'],
      description:
        'Share as statements and budgets do, by the rules of `/api/v1/cost-sharing`, within each cluster and UTC day, whatever the grouping. ' +
        'Not with `share_idle`, `share_overhead`, `share_namespaces`, nodes or hourly steps',
    }),
  ),
  share_idle: choice(
    sharings,
    'Share idle cost among the rows of the first level, within each cluster and step: `even` in equal parts, `proportional` to ' +
      'their cost, `weighted` by share_weights. Sharing changes who pays; the total stays the same',
  ),
  share_overhead: choice(sharings, 'Share overhead, such as the control plane fee, in the same way'),
  share_namespaces: list(
    'Comma-separated shared namespaces. Their cost is shared among the other rows, before idle cost and overhead',
  ),
  share_namespaces_by: choice(namespaceSharings, 'How to share the cost of shared namespaces; see share_idle'),
  share_weights: list(
    'Whole-number weights of the rows, such as `shop=3,data=1`, for one dimension; other rows get nothing',
  ),
  namespace: list(
    'Comma-separated namespaces; `__idle__`, `__unmounted__`, `__unattached__` and `__overhead__` have no owner. ' +
      'The filter applies after sharing',
  ),
  workload: workloadFilter('Comma-separated workloads, as namespace/kind/name. The filter applies after sharing'),
  clusters: clustersFilter,
  ...ownerFilters,
  node_pool: list('Comma-separated node pools, in groupings by `node` or `node_pool`'),
  node: list('Comma-separated node names, in groupings by `node` or `node_pool`'),
  compare: comparison('Only without `step`'),
  compare_from: moment('start of another window to compare with, instead of `compare`'),
  compare_to: moment('end of the window to compare with, exclusive. Default: as long as the window'),
  ...includeOf(['changes']),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: allocationRowsMax.perStep,
      description: 'Rows per step; `rest` sums up the others. Default: 1000, or 50 with steps',
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
  overhead: Money('Only in the row `overhead`; shared overhead is in `shared_overhead`'),
  shared_idle: Money('Idle cost shared to this row'),
  shared_overhead: Money('Overhead shared to this row'),
  shared_namespaces: Money('Cost of shared namespaces shared to this row; in none of the classes'),
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
    'Used share of the requests, by cost. CPU and memory only, because GPU usage is not measured. Null without requests',
  ),
  estimated: Money('Part of the cost with estimated prices'),
  unpriced: Type.Boolean({ description: 'Some resources are not priced. The amounts do not include them' }),
  unpriced_parts: Type.Array(Type.Unsafe<UnpricedPart>({ type: 'string', enum: [...unpricedParts] }), {
    description:
      'Parts with resources that are not priced. The amounts exclude their cost. `compute` is nodes; `assets` is `storage`, `load_balancer` and `overhead`: volumes, load balancers and control planes. The cost of shared namespaces is not split',
  }),
})

const Comparison = Type.Object(
  {
    total: Money('Cost in the window to compare with'),
    difference: Money('Cost minus `total`'),
    percent: Nullable(Type.Number(), 'Difference in percent of `total`; null if `total` is 0'),
  },
  { description: 'With `compare` or `compare_from`' },
)

const rowFields = {
  names: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'One value per dimension; `__none__` without such a label or team, or without a node',
  }),
  cost: AllocationCost,
  compare: Type.Optional(Comparison),
}

const AllocationRow = Type.Object({
  ...rowFields,
  rows: Type.Optional(
    Type.Array(Type.Object(rowFields), {
      description: `With two levels in \`group_by\`: the rows of the second level, largest first, at most ${allocationNestedRows.perRow}, and fewer if the first level has more than ${allocationNestedRows.all / allocationNestedRows.perRow} rows`,
    }),
  ),
  rest: Type.Optional(
    Type.Object(
      { rows: Type.Integer(), cost: AllocationCost, compare: Type.Optional(Comparison) },
      { description: 'The other rows of the second level' },
    ),
  ),
})

const AllocationStep = Type.Object({
  from: Timestamp,
  to: Timestamp,
  has_data: Type.Optional(
    Type.Boolean({
      description: 'False: no cluster has data in this step. The amounts are 0, but the cost is unknown',
    }),
  ),
  total: Money('Total of the rows, the rest and the rows without an owner. Without filters: the total cost'),
  rows: Type.Array(AllocationRow, { description: 'Largest first' }),
  rest: Type.Object({ rows: Type.Integer(), cost: AllocationCost }),
  idle: Nullable(
    AllocationCost,
    'Unallocated capacity. Null if shared, filtered out or included in node or cluster rows, and for roles limited to namespaces or teams',
  ),
  unmounted: Nullable(AllocationCost, 'Volumes while no pod mounts them. Null if there are none, or if `idle` is null'),
  unattached: Nullable(
    AllocationCost,
    'Load balancers without ready endpoints. Null if there are none, or if `idle` is null',
  ),
  overhead: Nullable(
    AllocationCost,
    'Cost that no namespace owns, such as the control plane fee. Null if it is shared, or if `idle` is null',
  ),
  compare: Type.Optional(
    Type.Object(
      {
        total: Comparison,
        rest: Comparison,
        idle: Nullable(Comparison),
        unmounted: Nullable(Comparison),
        unattached: Nullable(Comparison),
        overhead: Nullable(Comparison),
      },
      { description: 'The comparison of the total, the rest and the cost without an owner; null without such a line' },
    ),
  ),
})

export const Allocation = Type.Object(
  {
    window: Window,
    currency: Type.String(),
    cluster_ids: Type.Array(Type.String()),
    clusters: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
      description: 'Names of the clusters of this response, as in rows by `cluster`',
    }),
    ...partialFields,
    data_status: DataStatus,
    hours_with_data: Type.Optional(
      Type.Integer({ description: 'Hours of `window` with data; with several clusters, their mean' }),
    ),
    by: Type.Array(Type.String()),
    step: Type.Unsafe<(typeof allocationSteps)[number]>({ type: 'string', enum: [...allocationSteps] }),
    share: Nullable(
      Type.Unsafe<'statements'>({ type: 'string', enum: ['statements'] }),
      '`statements`: the following rules are those of `/api/v1/cost-sharing`',
    ),
    share_idle: Type.Unsafe<(typeof sharings)[number]>({ type: 'string', enum: [...sharings] }),
    share_overhead: Type.Unsafe<(typeof sharings)[number]>({ type: 'string', enum: [...sharings] }),
    share_namespaces: Type.Array(Type.String()),
    share_namespaces_by: Type.Unsafe<(typeof namespaceSharings)[number]>({
      type: 'string',
      enum: [...namespaceSharings],
    }),
    total: Money('Total of all steps'),
    steps: Type.Array(AllocationStep),
    trend: Type.Optional(
      Type.Object({ step: Type.String(), steps: Type.Array(AllocationStep) }, { description: 'With `trend`' }),
    ),
    compare: Type.Optional(
      Type.Object(
        {
          window: Window,
          data_status: DataStatus,
          hours_with_data: Type.Optional(
            Type.Integer({ description: 'Hours of this window with data; with several clusters, their mean' }),
          ),
          totals: Type.Optional(
            Type.Array(
              Type.Object({
                from: Timestamp,
                to: Timestamp,
                total: Nullable(Money(), 'Null: no cluster has data in this step'),
              }),
              { description: 'With `trend`: the total in steps of the same length. Omitted for a large cluster' },
            ),
          ),
        },
        { description: 'The window to compare with. Omitted for a large cluster with many groups' },
      ),
    ),
    changes: Type.Optional(
      Type.Unsafe<Changes>({
        ...Changes,
        description:
          'With `include=changes` and a comparison: the causes of the difference, by the first level. Not with shared cost',
      }),
    ),
  },
  { title: 'Allocation', description: '`workload`, `workload_idle` and `cluster_idle` are classes of compute' },
)

export type Allocation = Static<typeof Allocation>
