import { Type, type Static, type TSchema } from 'typebox'
import { Closed, includeOf, Nullable, Timestamp } from './common.ts'
import { Money } from './money.ts'
import { Recommendation } from './recommendations.ts'
import { DataStatus, Window, windowQuery } from './windows.ts'

export const PerResource = <T extends TSchema>(schema: T, options: { description?: string } = {}) =>
  Type.Object({ cpu: schema, memory: schema, gpu: schema }, options)

export const classFields = {
  workload: Money('Used cost, plus the cost in `unmeasured`'),
  workload_idle: Money('Requested but unused'),
  cluster_idle: Money('Unallocated'),
  unmeasured: Money(
    'Part of `workload` whose usage is unknown: gaps in the metrics, and all GPUs. `workload` minus `unmeasured` is the used part',
  ),
}

const Classes = Type.Object(classFields, { title: 'CostClasses' })
const withTotal = { ...classFields, total: Money() }

export const UsageCoverage = PerResource(Nullable(Type.Number({ minimum: 0, maximum: 1 })), {
  description: 'Share of container time with usage data; null without containers. The cost of the rest is `unmeasured`',
})

export const Unpriced = PerResource(
  Type.Object({
    unit_seconds: Type.String({ description: 'Microcores, KiB or GPU parts, times seconds' }),
    fraction: Type.Number({ minimum: 0, maximum: 1, description: 'Share of all capacity in the window' }),
  }),
  { description: 'Capacity that is not priced. No amount includes it, but it is not free' },
)

export const IdleCosts = Type.Object(
  {
    cluster_id: Type.String(),
    window: Window,
    as_of: Nullable(Timestamp, 'End of the last processed hour; null without data'),
    data_status: DataStatus,
    currency: Type.String(),
    breakdown: Classes,
    total: Money('Cost of the nodes: total of the three classes'),
    by_resource: PerResource(Type.Object(withTotal)),
    by_namespace: Type.Array(Type.Object({ namespace: Type.String(), ...withTotal }), {
      description: 'Largest first. The row `__idle__` is unallocated capacity; the rows add up to `breakdown`',
    }),
    by_node: Type.Array(Type.Object({ node_uid: Type.String(), node: Type.String(), ...withTotal }), {
      description:
        'The 100 nodes with the highest idle cost, and the rest as row `__other__`; the rows add up to `breakdown`',
    }),
    system_reserved: Money('System-reserved capacity of the nodes: part of `cluster_idle`'),
    usage_coverage: UsageCoverage,
    unpriced: Unpriced,
  },
  { title: 'IdleCosts', description: 'Compute only' },
)

export const idleCostIncludes = ['workloads'] as const

export const IdleCostsQuery = Closed({
  ...includeOf(idleCostIncludes),
  cluster_id: Type.String({ minLength: 1, maxLength: 100 }),
  ...windowQuery,
})

const Utilization = (unit: string) =>
  Type.Object({
    capacity: Type.Number({ description: `${unit}, mean over the hours with data` }),
    allocatable: Type.Number(),
    requested: Type.Number(),
    used: Nullable(Type.Number(), 'Mean over the measured time, see usage_coverage; null without measurements'),
    requested_percent: Nullable(Type.Number(), 'Share of allocatable; null without capacity'),
    used_percent: Nullable(Type.Number(), 'Share of allocatable; null without capacity or measurements'),
  })

const cloudResourceCost = (what: string) => Nullable(Money(), `${what}; null: not priced`)

export const CloudResourceUnpriced = Type.Object({
  unit_seconds: Type.String({
    description: 'KiB of volumes, or parts of a load balancer or control plane, times seconds',
  }),
  fraction: Type.Number({ minimum: 0, maximum: 1, description: 'Share of the total in the window' }),
})

export const Summary = Type.Object(
  {
    cluster_id: Type.String(),
    window: Window,
    as_of: Nullable(Timestamp, 'End of the last processed hour; null without data'),
    data_status: DataStatus,
    currency: Type.String(),
    cost_breakdown: Type.Object({
      total: Money('Total of all priced resources: compute, storage, load balancers and overhead'),
      compute: PerResource(Money()),
      storage: cloudResourceCost('Volumes'),
      load_balancer: cloudResourceCost('Load balancer hours; traffic is not measured'),
      overhead: cloudResourceCost('Control plane fee'),
      unpriced: Type.Object(
        { storage: CloudResourceUnpriced, load_balancer: CloudResourceUnpriced, overhead: CloudResourceUnpriced },
        { description: 'Resources that are not priced: in no amount, but not free. For compute, see idle_costs' },
      ),
      by_namespace: Type.Array(Type.Object({ namespace: Type.String(), cost: Money() }), {
        maxItems: 10,
        description: 'The ten largest. `__idle__`, `__unmounted__`, `__unattached__` and `__overhead__` have no owner',
      }),
      by_namespace_rest: Type.Object(
        { rows: Type.Integer({ description: 'Number of other namespaces' }), cost: Money() },
        { description: 'All other namespaces. `by_namespace` and this add up to `total`' },
      ),
    }),
    node_utilization: Type.Object({
      nodes: Type.Integer({ description: 'Now' }),
      cpu: Utilization('Cores'),
      memory: Utilization('Bytes'),
      pods: Type.Object({
        allocatable: Type.Integer({ description: 'Now' }),
        running: Type.Integer({ description: 'Now' }),
        percent: Nullable(Type.Number()),
      }),
      by_node: Type.Array(
        Type.Object({
          node_uid: Type.String(),
          node: Type.String(),
          cost: Money(),
          idle_cost: Money('Unallocated part'),
          cpu_allocated_percent: Nullable(Type.Number(), 'Share of capacity'),
          memory_allocated_percent: Nullable(Type.Number(), 'Share of capacity'),
        }),
        { maxItems: 10, description: 'The ten existing nodes with the lowest utilization' },
      ),
    }),
    top_recommendations: Nullable(
      Type.Array(Recommendation, { maxItems: 5, description: 'The five with the highest savings' }),
      'Null without recommendations:read',
    ),
    idle_costs: IdleCosts,
    potential_savings: Type.Object({
      estimated: Money('USD per month'),
      bankable: Money('USD per month'),
      currency: Type.String(),
      by_category: Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: { type: 'number' } }),
    }),
  },
  { title: 'Summary' },
)

export const WindowQuery = Closed(windowQuery)

export type CloudResourceUnpriced = Static<typeof CloudResourceUnpriced>
export type IdleCosts = Static<typeof IdleCosts>
export type Summary = Static<typeof Summary>
