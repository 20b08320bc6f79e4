import { Type, type Static } from 'typebox'
import { Closed, ClusterId, NamespaceName, Nullable, Timestamp, VisibleText, WithDefault } from './common.ts'
import { Money } from './money.ts'

/** A change of more workloads is refused: the answer names each of them. */
export const estimateWorkloadsMax = 500
export const estimateReplicasMax = 1_000_000

const Quantity = Type.String({ minLength: 1, maxLength: 64, examples: ['500m', '2Gi'] })
const Resources = (description: string) =>
  Type.Record(Type.String({ pattern: '^[A-Za-z0-9./_-]{1,317}$' }), Quantity, {
    maxProperties: 20,
    description,
    examples: [{ cpu: '500m', memory: '1Gi' }],
  })

const containerKinds = ['app', 'init', 'sidecar'] as const

const EstimateContainer = Closed(
  {
    name: VisibleText({ minLength: 1, maxLength: 253 }),
    kind: WithDefault(
      Type.Unsafe<(typeof containerKinds)[number]>({
        type: 'string',
        enum: [...containerKinds],
        default: 'app',
        description: '`sidecar` is an init container with `restartPolicy: Always`',
      }),
    ),
    requests: Type.Optional(Resources('Requests by resource, as in the manifest')),
    limits: Type.Optional(Resources('Limits by resource. As in Kubernetes, a missing request is the limit')),
  },
  { title: 'EstimateContainer' },
)

const WorkloadState = Closed(
  {
    replicas: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: estimateReplicasMax,
        description: 'Without it, the current number of pods; 1 for a new workload',
      }),
    ),
    schedule: Type.Optional(Type.String({ maxLength: 512, description: 'Only for CronJobs', examples: ['0 3 * * *'] })),
    suspended: Type.Optional(Type.Boolean({ description: 'Only for CronJobs' })),
    pod_requests: Type.Optional(Resources('Requests of the whole pod (`spec.resources`)')),
    containers: Type.Array(EstimateContainer, { minItems: 1, maxItems: 50 }),
  },
  { title: 'WorkloadState' },
)

const EstimateWorkload = Closed(
  {
    kind: VisibleText({ minLength: 1, maxLength: 63, examples: ['Deployment'] }),
    namespace: NamespaceName,
    name: VisibleText({ minLength: 1, maxLength: 253, examples: ['checkout'] }),
    before: Type.Optional(
      Nullable(WorkloadState, 'State before the change; null: new. Without it, the state in the cluster'),
    ),
    after: Nullable(WorkloadState, 'State after the change; null: removed'),
  },
  { title: 'EstimateWorkload' },
)

export const EstimateBody = Closed(
  {
    cluster_id: ClusterId('Cluster that runs the workloads'),
    workloads: Type.Array(EstimateWorkload, { minItems: 1, maxItems: estimateWorkloadsMax }),
  },
  {
    title: 'EstimateBody',
    examples: [
      {
        cluster_id: 'cls_01k3v7m9q2x4t6b8n0d2f4h6j8',
        workloads: [
          {
            kind: 'Deployment',
            namespace: 'shop',
            name: 'checkout',
            after: { replicas: 3, containers: [{ name: 'app', requests: { cpu: '500m', memory: '1Gi' } }] },
          },
        ],
      },
    ],
  },
)

export const estimateNoteCodes = [
  'not_priced',
  'run_time_unknown',
  'one_off_job',
  'not_in_cluster',
  'in_cluster',
  'no_request',
  'scaled_by_autoscaler',
  'scales_on_requests',
  'differs_from_cluster',
  'not_placed',
  'placement_unknown',
  'fits_nowhere',
  'too_many_pods',
  'role_narrowed',
  'savings_lost',
  'removable_by_hand',
  'no_autoscaler',
  'node_replaced',
  'serverless',
] as const
export type EstimateNoteCode = (typeof estimateNoteCodes)[number]

const Notes = (description: string) =>
  Type.Array(
    Type.Object(
      {
        code: Type.Unsafe<EstimateNoteCode>({ type: 'string', enum: [...estimateNoteCodes] }),
        detail: Type.String(),
      },
      { title: 'EstimateNote' },
    ),
    { description },
  )

const replicaSources = ['request', 'cluster', 'autoscaler', 'nodes', 'schedule', 'default'] as const
export type ReplicaSource = (typeof replicaSources)[number]

const EstimatedState = Type.Object(
  {
    replicas: Nullable(Type.Number(), 'Pods at the same time. For a CronJob, the mean over time; null: unknown'),
    replicas_from: Type.Unsafe<ReplicaSource>({
      type: 'string',
      enum: [...replicaSources],
      description:
        '`autoscaler`: the mean of the last 7 days, because an autoscaler sets the replicas. `nodes`: one pod per node. `schedule`: runs per month × the mean run time. `default`: 1, as in Kubernetes',
    }),
    cpu_cores: Type.Number({ description: 'Requests of one pod' }),
    memory_bytes: Type.Number({ description: 'Requests of one pod' }),
    monthly_cost: Nullable(Money(), 'Cost of the requests in a month of 730 hours; null: unknown, see `notes`'),
  },
  { title: 'EstimatedState' },
)

const changes = ['added', 'removed', 'changed', 'unchanged'] as const

const EstimatedWorkload = Type.Object(
  {
    kind: Type.String(),
    namespace: Type.String(),
    name: Type.String(),
    change: Type.Unsafe<(typeof changes)[number]>({ type: 'string', enum: [...changes] }),
    before: Nullable(EstimatedState, 'Null: does not exist before the change'),
    after: Nullable(EstimatedState, 'Null: removed'),
    monthly_change: Nullable(Money(), 'Change of the cost of the requests; null: unknown'),
    rates: Type.Unsafe<'own_nodes' | 'cluster_mean'>({
      type: 'string',
      enum: ['own_nodes', 'cluster_mean'],
      description: 'Rates of the nodes that run its pods, or the mean of all nodes if none runs',
    }),
    usage: Nullable(
      Type.Object({
        cpu_cores: Nullable(Type.Number(), 'Null: no usage data'),
        memory_bytes: Nullable(Type.Number(), 'Null: no usage data'),
        replicas: Type.Number({ description: 'Mean number of pods' }),
        hours: Type.Number({ description: 'Hours in which the workload ran' }),
      }),
      'Mean usage of all its pods in the hours of the last 7 days in which it ran (31 days for a CronJob); null: it did not run',
    ),
    notes: Notes('What the figures do not contain, and why a figure is unknown'),
  },
  { title: 'EstimatedWorkload' },
)

const Bill = Type.Object(
  {
    monthly_change: Nullable(
      Money(),
      'Change of the bill, from a run of the scheduler and of the autoscalers with the change; null: unknown, see `notes`',
    ),
    summary: Type.String({ examples: ['2 more m6i.xlarge in pool general: +$280.32 per month'] }),
    nodes_added: Type.Array(
      Type.Object({
        node_pool: Type.String(),
        instance_type: Type.String(),
        count: Type.Integer(),
        monthly_cost: Nullable(Money(), 'Of all these nodes; null: no price is known'),
      }),
    ),
    nodes_removed: Type.Array(
      Type.Object({ node: Type.String(), node_pool: Type.String(), monthly_cost: Nullable(Money()) }),
    ),
    notes: Notes('What the simulation does not contain, and further effects'),
  },
  { title: 'BillChange' },
)

export const Estimate = Type.Object(
  {
    cluster_id: Type.String(),
    currency: Type.Literal('USD'),
    as_of: Type.String({ ...Timestamp, description: 'Time of the snapshot of the cluster' }),
    partial: Type.Boolean({ description: 'A figure is unknown' }),
    workloads: Type.Array(EstimatedWorkload),
    requests: Type.Object(
      {
        monthly_cost_before: Money(),
        monthly_cost_after: Money(),
        monthly_change: Money(),
        unknown_workloads: Type.Integer({ description: 'Workloads that the sums do not contain' }),
      },
      { description: 'Sums over the workloads with known cost' },
    ),
    bill: Bill,
  },
  { title: 'Estimate' },
)

export type EstimateBody = Static<typeof EstimateBody>
export type EstimateWorkload = Static<typeof EstimateWorkload>
export type WorkloadState = Static<typeof WorkloadState>
export type Estimate = Static<typeof Estimate>
export type EstimatedWorkload = Static<typeof EstimatedWorkload>
export type EstimatedState = Static<typeof EstimatedState>
export type EstimateNote = { code: EstimateNoteCode; detail: string }
