import { COST_PARTS, EFFECT_KINDS, OTHER_CAUSES, WATERFALL_PARTS } from '@plimsoll/engine/vocabulary'
import { Type, type Static } from 'typebox'
import { clustersFilter, comparison, list, ownerFilters, workloadFilter } from './cost-filters.ts'
import { Closed, Nullable, Timestamp } from './common.ts'
import { ExactMoney, Money } from './money.ts'
import { DataStatus, moment, Window, windowQuery } from './windows.ts'

export const changeRowsMax = { perAnswer: 1000, default: 100 }

/** Nodes in the waterfall. The rest is summed up. */
export const changedNodesMax = 1000

export const ChangesQuery = Closed({
  ...windowQuery,
  compare: comparison(
    'Instead of `compare_from`. `none` is refused. Default: the period of equal length directly before',
  ),
  compare_from: moment(
    'start of the window to compare with, rounded down to the full hour. Default: the period of equal length directly before the window',
  ),
  compare_to: moment(
    'end of the window to compare with, exclusive, rounded up to the full hour. Default: as long as the window',
  ),
  cluster_id: list('One cluster; default: all clusters that the role can see', 100),
  by: list(
    'One or more, comma-separated: `cluster`, `namespace`, `workload`, `controller_kind`, `team`, `label:<key>`, or `none`; ' +
      'default: `namespace`. The waterfall lists the nodes',
    1000,
  ),
  namespace: list(
    'Comma-separated namespaces; `__idle__`, `__unmounted__`, `__unattached__` and `__overhead__` have no owner',
  ),
  workload: workloadFilter('Comma-separated workloads, as namespace/kind/name'),
  clusters: clustersFilter,
  ...ownerFilters,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: changeRowsMax.perAnswer,
      default: changeRowsMax.default,
      description: 'Rows with the largest differences; `rest` sums up the others',
    }),
  ),
})

const choice = <Choice extends string>(choices: readonly Choice[], description: string) =>
  Type.Unsafe<Choice>({ type: 'string', enum: [...choices], description })

const amountFields = { amount: Money('Rounded, so that the amounts of a list add up'), exact_amount: ExactMoney }

const Effect = Type.Object({
  part: choice(COST_PARTS, '`compute`: allocated to workloads · `idle`: unallocated capacity of nodes'),
  kind: choice(
    EFFECT_KINDS,
    '`hours`: more or fewer hours with data · `new`, `gone`: present in one window only · `moved`: the workload changed its ' +
      'team or label · `replicas`: more or fewer pods · `request`: requests per pod · `usage`: usage beyond requests · ' +
      '`node_mix`: pods run on different node classes · `nodes`: capacity added or removed · `allocated`: idle capacity that ' +
      'workloads took or returned · `size`: more, fewer or resized volumes or load balancers · `price`: prices',
  ),
  resource: Type.Optional(
    choice(['cpu', 'memory', 'gpu'] as const, 'With `request` and `usage`: the resource that changed'),
  ),
  class: Type.Optional(
    Type.String({
      description: 'With `price`, `nodes` and `size`: the class of nodes, volumes or load balancers',
      examples: ['m6i.4xlarge, on-demand, AWS eu-west-1, 16 cores, 64 GiB'],
    }),
  ),
  ...amountFields,
})

const lineFields = {
  before: Money('Cost in `compare_window`'),
  now: Money('Cost in `window`'),
  difference: Money('`now` − `before`'),
  exact_difference: ExactMoney,
  effects: Type.Array(Effect, { description: 'Causes, largest first. They add up to the difference' }),
  unpriced: Type.Boolean({
    description: 'Some resources have no price in one of the windows and are not in these amounts',
  }),
}

const twoMeans = (description: string) =>
  Type.Object({ before: Nullable(Type.Number()), now: Nullable(Type.Number()) }, { description })

const WorkloadFacts = Type.Object(
  {
    pods: twoMeans('Mean number of pods'),
    cpu_request_millicores: twoMeans('Mean CPU request of a pod; null without pods'),
    memory_request_bytes: twoMeans('Mean memory request of a pod; null without pods'),
  },
  { description: 'With `workload` in `by`: the facts behind the effects `replicas` and `request`' },
)

const ChangeRow = Type.Object({
  names: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'One value per dimension; `__none__` without such a label or team. Cost without an owner is `__idle__`, ' +
      '`__unmounted__`, `__unattached__` or `__overhead__`',
  }),
  ...lineFields,
  workload: Type.Optional(WorkloadFacts),
})

const WaterfallLine = Type.Object({
  kind: choice(
    WATERFALL_PARTS,
    '`nodes_removed`, `nodes_added`: nodes that were removed or created within the windows · `nodes_kept`: other changes of node ' +
      'capacity · `price`: node prices · `storage`, `load_balancers`, `fees`: including their prices · `new_clusters`: clusters ' +
      'without data before · `gone_clusters`: clusters without data in the later window · `hours`: more or fewer hours with data',
  ),
  ...amountFields,
})

export const waterfallCauses = ['step', ...OTHER_CAUSES] as const

const WaterfallCause = Type.Object({
  kind: choice(
    waterfallCauses,
    '`step`: nodes and cloud resources that an applied plan step removed · `nodes`: other changes of nodes · the others as in `parts`, without the amounts of steps',
  ),
  step: Type.Optional(
    Type.Object(
      {
        id: Type.String(),
        cluster_id: Type.String(),
        title: Type.String(),
        nodes: Type.Integer({ description: 'Nodes that the step removed between the windows' }),
        classes: Type.Array(Type.String(), { description: 'Classes of the nodes that the step removed or added' }),
        resources: Type.Integer({ description: 'Volumes, load balancers and control planes of the step' }),
      },
      {
        description:
          'With `step`. Without the permission `recommendations:read`, all steps are one cause without this object',
      },
    ),
  ),
  ...amountFields,
  per_month: Nullable(
    Money(),
    'USD per month of 730 hours, from the hours with data; 0 for `hours`. Null if `run_rate` is null',
  ),
})

const ChangedNode = Type.Object({
  cluster_id: Type.String(),
  node_uid: Type.String(),
  name: Type.String({ description: 'The uid if the name is no longer known' }),
  pool: Type.String({ description: 'Empty without a node pool' }),
  class: Type.String({ examples: ['m6i.4xlarge, on-demand, AWS eu-west-1, 16 cores, 64 GiB'] }),
  step_id: Type.Optional(
    Type.String({
      description: 'The applied plan step that named the node. Needs the permission `recommendations:read`',
    }),
  ),
  movement: choice(
    ['removed', 'added', 'kept'] as const,
    'Removed or added within the windows. `kept`: the node ran in both windows, with different capacity or hours of data',
  ),
  first_seen_at: Nullable(Timestamp, 'Null if no longer known'),
  ended_at: Nullable(Timestamp, 'When the node ended; null while it runs'),
  usd_per_hour: Nullable(Money(), 'Newest price of the node; null without a price per node'),
  ...amountFields,
})

const Waterfall = Type.Object({
  causes: Type.Optional(
    Type.Array(WaterfallCause, {
      description:
        'The change of the bill by cause: plan steps, largest first, then the others. They add up to `difference` of `total`',
    }),
  ),
  run_rate: Type.Optional(
    Nullable(
      Type.Object({ before: Money(), now: Money(), difference: Money() }),
      'The bill of both windows in USD per month of 730 hours, from the hours with data. Clusters without data in one of the windows are not included. `per_month` of all causes adds up to its difference. Null if the windows differ in length, or no cluster can be compared',
    ),
  ),
  parts: Type.Array(WaterfallLine, { description: 'They add up to `difference` of `total`' }),
  prices: Type.Array(Type.Object({ class: Type.String(), ...amountFields }), {
    description: 'The part `price` by node class, largest first',
  }),
  clusters: Type.Array(
    Type.Object({
      cluster_id: Type.String(),
      before: Money(),
      now: Money(),
      difference: Money(),
      parts: Type.Array(WaterfallLine),
    }),
    { description: 'The same for each cluster with data' },
  ),
  nodes: Type.Array(ChangedNode, {
    description: `Nodes with an effect, largest first, at most ${changedNodesMax}. With \`other_nodes\` they add up to \`nodes_removed\`, \`nodes_added\` and \`nodes_kept\``,
  }),
  other_nodes: Type.Object({ nodes: Type.Integer(), ...amountFields }),
})

export const Changes = Type.Object(
  {
    window: Window,
    compare_window: Window,
    data_status: DataStatus,
    hours_with_data: Type.Optional(
      Type.Integer({ description: 'Hours of `window` with data; with several clusters, their mean' }),
    ),
    compare_data_status: DataStatus,
    compare_hours_with_data: Type.Optional(
      Type.Integer({ description: 'Hours of `compare_window` with data; with several clusters, their mean' }),
    ),
    currency: Type.String(),
    cluster_ids: Type.Array(Type.String()),
    clusters: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }), {
      description: 'Names of the clusters of this response, as in rows by `cluster`',
    }),
    by: Type.Array(Type.String()),
    total: Type.Object(lineFields),
    rows: Type.Array(ChangeRow, { description: 'Largest difference first' }),
    rest: Type.Object({ rows: Type.Integer(), ...lineFields }),
    waterfall: Nullable(
      Waterfall,
      'The change of the whole bill. Null with a filter by namespace, workload, team, label or kind, or if the role is limited to namespaces or teams',
    ),
  },
  { title: 'Changes', description: 'The difference of the cost of two windows, split into its causes' },
)

export type Changes = Static<typeof Changes>
