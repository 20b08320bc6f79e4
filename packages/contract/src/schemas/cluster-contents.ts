import { Type, type Static } from 'typebox'
import { Closed, Nullable, pageFields, pageQuery, Timestamp } from './common.ts'
import { AssetUnpriced, classFields, IdleCosts, PerResource, Unpriced, UsageCoverage } from './costs.ts'
import { Money } from './money.ts'
import { DataStatus, partialFields, Window, windowQuery } from './windows.ts'

const Size = Type.Object({
  cpu_cores: Type.Number(),
  memory_bytes: Type.Number(),
  gpus: Type.Number({ description: 'Parts of a shared one count as the fraction they are' }),
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
        'What resizes the node pool. `unknown` counts as nobody until a person answers in the policy of the cluster',
    }),
    known_from: Type.Unsafe<(typeof scalingSources)[number]>({
      type: 'string',
      enum: [...scalingSources],
      description: 'Where that is known from; `answer`: a person said so',
    }),
  },
  { title: 'PoolScaling' },
)

export const NodeVerdict = Type.Object(
  {
    code: Type.String({
      description: 'For programs: `can_go`, `nobody_scales_the_pool`, or what keeps it',
      examples: ['disruption_budget', 'pod_does_not_fit', 'pool_minimum'],
    }),
    message: Type.String({ description: 'The one thing that keeps it, for people' }),
    pods_fit_elsewhere: Type.Boolean({ description: 'But for that, its pods would have somewhere to go' }),
    savings: Money('A month, if it goes; counted together with the other nodes, so 0 where another one goes first'),
    pool_scaling: Type.Optional(PoolScaling),
  },
  { title: 'NodeVerdict' },
)

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
      description: 'As it is priced: the nominal size of its type',
    }),
    allocatable: Size,
    pods_allocatable: Type.Integer(),
    price: Type.Object({
      usd_per_hour: Nullable(Type.Number(), 'Null: it has no price, which is not the same as free'),
      estimated: Type.Boolean(),
      evidence: Nullable(
        Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
        'Price book, source and date',
      ),
    }),
    first_seen_at: Timestamp,
    ended_at: Nullable(Timestamp, 'Null: it is there'),
    cost: Type.Object({ ...classFields, total: Money('In the window') }),
    cpu_allocated_percent: Nullable(Type.Number(), 'Of capacity, while it was there; null without data'),
    memory_allocated_percent: Nullable(Type.Number()),
    why_still_here: Nullable(
      NodeVerdict,
      'By the newest analysis, which runs the scheduler again without it; null: it was not judged, or it has ended',
    ),
  },
  { title: 'ClusterNode' },
)

export const nodePageSize = { max: 500, default: 100 }

export const ListNodesQuery = Closed({ ...pageQuery(nodePageSize.max, nodePageSize.default), ...windowQuery })

export const NodeList = Type.Object(
  {
    cluster_id: Type.String(),
    window: Window,
    ...partialFields,
    currency: Type.String(),
    nodes: Type.Array(ClusterNode, { description: 'Those that were there at some time of the window, by name' }),
    ...pageFields,
  },
  { title: 'NodeList' },
)

const Demand = (unit: string) =>
  Type.Object({
    requested: Type.Number({ description: `${unit}, mean over the hours with data` }),
    used: Nullable(Type.Number(), 'Mean of the measured time, see usage_coverage; null when nothing was measured'),
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
      total: Money('Volumes and balancers included'),
      cpu: Money(),
      memory: Money(),
      gpu: Money(),
      storage: Money('Its part of the volumes that it mounts'),
      load_balancer: Money('Its part of the balancers in front of it'),
    }),
    replicas: Type.Number({ description: 'Mean over the hours with data' }),
    cpu_cores: Demand('Cores'),
    memory_bytes: Demand('Bytes'),
    usage_coverage: PerResource(Nullable(Type.Number()), { description: 'Null where it asks for none' }),
    unpriced: Type.Boolean({ description: 'A part of it ran on capacity that has no price and is not in its cost' }),
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
          description: `With \`include=workloads\`: the ${workloadPageSize.max} most expensive ones of the same window`,
        },
      ),
    ),
  },
  { title: 'IdleCostsAnswer', description: 'Compute only' },
)

export const ListWorkloadsQuery = Closed({
  ...pageQuery(workloadPageSize.max, workloadPageSize.default),
  ...windowQuery,
  namespace: Type.Optional(
    Type.String({ minLength: 1, maxLength: 2000, description: 'One or several, separated by commas' }),
  ),
})

export const WorkloadList = Type.Object(
  {
    cluster_id: Type.String(),
    window: Window,
    ...partialFields,
    currency: Type.String(),
    workloads: Type.Array(WorkloadCost, { description: 'The most expensive first' }),
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

const AssetQuality = Type.Object({
  cost: Nullable(Money(), 'Null where there are some and none of them has a price'),
  estimated_cost: Money('How much of it rests on estimated prices'),
  unpriced: AssetUnpriced,
})

export const DataQuality = Type.Object(
  {
    cluster_id: Type.String(),
    window: Window,
    as_of: Nullable(Timestamp, 'The end of the newest hour in the figures; null without one'),
    data_status: DataStatus,
    currency: Type.String(),
    hours: Type.Object({
      expected: Type.Integer({ description: 'Of the window' }),
      with_data: Type.Integer(),
      revised: Type.Integer({ description: 'Changed by late data after they had been written' }),
    }),
    gaps: Type.Array(Type.Object({ from: Timestamp, to: Timestamp, hours: Type.Integer() }), {
      maxItems: 100,
      description: 'Hours since the first data of which nothing is known, newest first',
    }),
    usage_coverage: UsageCoverage,
    bridged: Type.Object(
      { node_seconds: Type.String(), fraction: Nullable(Type.Number({ minimum: 0, maximum: 1 })) },
      { description: 'Time in which nodes were there and nobody reported their use: paid for, its use not known' },
    ),
    unpriced: Unpriced,
    estimated: Type.Object(
      { cost: Money(), fraction: Nullable(Type.Number({ minimum: 0, maximum: 1 })) },
      { description: 'What rests on estimated prices' },
    ),
    assets: Type.Object(
      { volumes: AssetQuality, balancers: AssetQuality, control_plane: AssetQuality },
      { description: 'The same for what is paid for and is no node' },
    ),
    batches: Type.Object({
      received: Type.Integer({ description: 'In the window, by the time they came' }),
      folded: Type.Integer(),
      pending: Type.Integer(),
      quarantined: Type.Integer({ description: 'Could not be read at all' }),
      rejected_records: Type.Integer(),
    }),
    quarantined: shownBatches('The newest that could not be read'),
    rejected: shownBatches('The newest of which some records were refused'),
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
