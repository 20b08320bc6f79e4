import { Type, type Static } from 'typebox'
import { Closed, Nullable, pageFields, pageQuery, Timestamp } from './common.ts'
import { CloudResourceUnpriced, classFields, IdleCosts, PerResource, Unpriced, UsageCoverage } from './costs.ts'
import { Money } from './money.ts'
import { DataStatus, partialFields, Window, windowQuery } from './windows.ts'

const Size = Type.Object({
  cpu_cores: Type.Number(),
  memory_bytes: Type.Number(),
  gpus: Type.Number({ description: 'A part of a shared GPU counts as a fraction' }),
})

const poolScalers = ['karpenter', 'cluster_autoscaler', 'nobody', 'unknown'] as const
const scalingSources = [
  'answer',
  'node_pool',
  'node_labels',
  'node_taints',
  'autoscaler_status',
  'autoscaler_pod',
  'nothing',
] as const

export const PoolScaling = Type.Object(
  {
    by: Type.Unsafe<(typeof poolScalers)[number]>({
      type: 'string',
      enum: [...poolScalers],
      description:
        'Autoscaler of the node pool. `unknown` is treated as fixed-size until you set it in the cluster policy',
    }),
    known_from: Type.Unsafe<(typeof scalingSources)[number]>({
      type: 'string',
      enum: [...scalingSources],
      description: 'Source of this value; `answer`: set in the policy of the cluster',
    }),
  },
  { title: 'PoolScaling' },
)

export const NodeVerdict = Type.Object(
  {
    code: Type.String({
      description: '`can_go`, `nobody_scales_the_pool`, or the code of the blocker',
      examples: ['disruption_budget', 'pod_does_not_fit', 'pool_minimum'],
    }),
    message: Type.String({ description: 'The blocker, for display' }),
    pods_fit_elsewhere: Type.Boolean({ description: 'Whether the pods of the node fit on other nodes' }),
    savings: Money(
      'Savings in USD per month if the node is removed. Computed together with the other nodes. 0 if the node can be removed only instead of another node',
    ),
    pool_scaling: Type.Optional(PoolScaling),
  },
  { title: 'NodeVerdict' },
)

const nodeStates = ['existing', 'ended'] as const
export type NodeState = (typeof nodeStates)[number]

export const ClusterNode = Type.Object(
  {
    uid: Type.String(),
    name: Type.String(),
    instance_type: Type.String(),
    provider_id: Type.String(),
    region: Type.String(),
    zone: Type.String(),
    capacity_type: Type.String(),
    os: Type.String(),
    arch: Type.String(),
    pool: Type.String(),
    capacity: Type.Unsafe<Static<typeof Size>>({
      ...Size,
      description: 'Priced size: the nominal size of the instance type',
    }),
    allocatable: Size,
    pods_allocatable: Type.Integer(),
    price: Type.Object({
      usd_per_hour: Nullable(Type.Number(), 'Null: not priced'),
      estimated: Type.Boolean(),
      evidence: Nullable(
        Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
        'Price list, source and date',
      ),
    }),
    first_seen_at: Timestamp,
    state: Type.Unsafe<NodeState>({
      type: 'string',
      enum: [...nodeStates],
      description: '`ended`: the node existed in the window and was removed',
    }),
    ended_at: Nullable(Timestamp, 'Null: the node still exists'),
    cost: Type.Object({ ...classFields, total: Money('Cost in the window') }),
    cpu_allocated_percent: Nullable(Type.Number(), 'Share of capacity while the node existed; null without data'),
    memory_allocated_percent: Nullable(Type.Number()),
    why_still_here: Nullable(
      NodeVerdict,
      'Result of the latest analysis, which simulates the scheduler without the node; null: not analyzed, or the node no longer exists',
    ),
  },
  { title: 'ClusterNode' },
)

export const nodePageSize = { max: 500, default: 100 }

export const ListNodesQuery = Closed({
  ...pageQuery(nodePageSize.max, nodePageSize.default),
  ...windowQuery,
  state: Type.Optional(
    Type.Unsafe<NodeState>({
      type: 'string',
      enum: [...nodeStates],
      description:
        'Only existing nodes, or only removed nodes. Default: both, so that the costs of the nodes add up to the compute cost of the window',
    }),
  ),
})

export const NodeList = Type.Object(
  {
    cluster_id: Type.String(),
    window: Window,
    ...partialFields,
    currency: Type.String(),
    nodes: Type.Array(ClusterNode, { description: 'Nodes that existed at some time in the window, by name' }),
    ...pageFields,
  },
  { title: 'NodeList' },
)

const Demand = (unit: string) =>
  Type.Object({
    requested: Type.Number({ description: `${unit}, mean over the hours with data` }),
    used: Nullable(Type.Number(), 'Mean over the measured time, see usage_coverage; null without measurements'),
  })

export const WorkloadCost = Type.Object(
  {
    namespace: Type.String(),
    kind: Type.String(),
    name: Type.String(),
    cost: Type.Object({
      workload: classFields.workload,
      workload_idle: classFields.workload_idle,
      unmeasured: classFields.unmeasured,
      total: Money('Includes volumes and load balancers'),
      cpu: Money(),
      memory: Money(),
      gpu: Money(),
      storage: Money('Share of the mounted volumes'),
      load_balancer: Money('Share of the load balancers of its Services'),
    }),
    replicas: Type.Number({ description: 'Mean over the hours with data' }),
    cpu_cores: Demand('Cores'),
    memory_bytes: Demand('Bytes'),
    usage_coverage: PerResource(Nullable(Type.Number()), { description: 'Null without a request' }),
    unpriced: Type.Boolean({
      description: 'Part of the workload ran on capacity that is not priced; the cost does not include that part',
    }),
  },
  { title: 'WorkloadCost' },
)

export const workloadPageSize = { max: 500, default: 100 }

export const IdleCostsAnswer = Type.Object(
  {
    ...IdleCosts.properties,
    workloads: Type.Optional(
      Type.Object(
        { rows: Type.Array(WorkloadCost), has_more: Type.Boolean(), ...partialFields },
        {
          description: `With \`include=workloads\`: the ${workloadPageSize.max} most expensive workloads of the same window`,
        },
      ),
    ),
  },
  { title: 'IdleCostsAnswer', description: 'Compute only' },
)

export const ListWorkloadsQuery = Closed({
  ...pageQuery(workloadPageSize.max, workloadPageSize.default),
  ...windowQuery,
  namespace: Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: 'One or more, comma-separated' })),
})

export const WorkloadList = Type.Object(
  {
    cluster_id: Type.String(),
    window: Window,
    ...partialFields,
    currency: Type.String(),
    workloads: Type.Array(WorkloadCost, { description: 'Most expensive first' }),
    ...pageFields,
  },
  { title: 'WorkloadList' },
)

const shownBatches = (description: string) =>
  Type.Array(
    Type.Object({
      batch_id: Type.String(),
      received_at: Timestamp,
      rejected_records: Type.Integer(),
      reason: Nullable(Type.String()),
    }),
    { maxItems: 20, description },
  )

const CloudResourceQuality = Type.Object({
  cost: Nullable(Money(), 'Null if none of them is priced'),
  estimated_cost: Money('Part of the cost with estimated prices'),
  unpriced: CloudResourceUnpriced,
})

export const DataQuality = Type.Object(
  {
    cluster_id: Type.String(),
    window: Window,
    as_of: Nullable(Timestamp, 'End of the last processed hour; null without data'),
    data_status: DataStatus,
    currency: Type.String(),
    hours: Type.Object({
      expected: Type.Integer({ description: 'Hours in the window' }),
      with_data: Type.Integer(),
      revised: Type.Integer({ description: 'Hours changed by late data' }),
    }),
    gaps: Type.Array(Type.Object({ from: Timestamp, to: Timestamp, hours: Type.Integer() }), {
      maxItems: 100,
      description: 'Hours without data since the first data, newest first',
    }),
    usage_coverage: UsageCoverage,
    bridged: Type.Object(
      { node_seconds: Type.String(), fraction: Nullable(Type.Number({ minimum: 0, maximum: 1 })) },
      { description: 'Time of nodes without data, estimated from their last known state' },
    ),
    unpriced: Unpriced,
    estimated: Type.Object(
      { cost: Money(), fraction: Nullable(Type.Number({ minimum: 0, maximum: 1 })) },
      { description: 'Cost with estimated prices' },
    ),
    assets: Type.Object(
      { volumes: CloudResourceQuality, balancers: CloudResourceQuality, control_plane: CloudResourceQuality },
      { description: 'The same for volumes, load balancers and control planes' },
    ),
    batches: Type.Object({
      received: Type.Integer({ description: 'Batches received in the window' }),
      folded: Type.Integer(),
      pending: Type.Integer(),
      quarantined: Type.Integer({ description: 'Unreadable batches' }),
      rejected_records: Type.Integer(),
    }),
    quarantined: shownBatches('Latest unreadable batches'),
    rejected: shownBatches('Latest batches with refused records'),
  },
  { title: 'DataQuality' },
)

export type PoolScaling = Static<typeof PoolScaling>
export type NodeVerdict = Static<typeof NodeVerdict>
export type ClusterNode = Static<typeof ClusterNode>
export type NodeList = Static<typeof NodeList>
export type IdleCostsAnswer = Static<typeof IdleCostsAnswer>
export type WorkloadCost = Static<typeof WorkloadCost>
export type WorkloadList = Static<typeof WorkloadList>
export type DataQuality = Static<typeof DataQuality>
