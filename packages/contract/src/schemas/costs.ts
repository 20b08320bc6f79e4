import { Type, type Static, type TSchema } from 'typebox'
import { Closed, includeOf, Nullable, Timestamp } from './common.ts'
import { Money } from './money.ts'
import { Recommendation } from './recommendations.ts'
import { DataStatus, Window, windowQuery } from './windows.ts'

export const PerResource = <T extends TSchema>(schema: T, options: { description?: string } = {}) =>
  Type.Object({ cpu: schema, memory: schema, gpu: schema }, options)

export const classFields = {
  workload: Money('Paid for and used, with what was not measured, see `unmeasured`'),
  workload_idle: Money('Reserved and not used'),
  cluster_idle: Money('Paid for and nobody asked'),
  unmeasured: Money(
    'The part of `workload` without usage data: gaps in the metrics, and GPUs, whose usage agents do not report. Neither used nor idle',
  ),
}

const Classes = Type.Object(classFields, { title: 'CostClasses' })
const withTotal = { ...classFields, total: Money() }

export const UsageCoverage = PerResource(Nullable(Type.Number({ minimum: 0, maximum: 1 })), {
  description:
    'Which part of the containers’ time was measured; null without containers. The cost of the rest is `unmeasured`',
})

export const Unpriced = PerResource(
  Type.Object({
    unit_seconds: Type.String({ description: 'Microcores, KiB or parts of a GPU, times seconds' }),
    fraction: Type.Number({ minimum: 0, maximum: 1, description: 'Of all capacity in the window' }),
  }),
  { description: 'Capacity that has no price: it is in no sum of money, and not free' },
)

export const IdleCosts = Type.Object(
  {
    cluster_id: Type.String(),
    window: Window,
    as_of: Nullable(Timestamp, 'The end of the newest hour in the figures; null without one'),
    data_status: DataStatus,
    currency: Type.String(),
    breakdown: Classes,
    total: Money('What the nodes cost: the sum of the three classes'),
    by_resource: PerResource(Type.Object(withTotal)),
    by_namespace: Type.Array(Type.Object({ namespace: Type.String(), ...withTotal }), {
      description: 'Largest first. What belongs to nobody is the row `__idle__`; the rows add up to `breakdown`',
    }),
    by_node: Type.Array(Type.Object({ node_uid: Type.String(), node: Type.String(), ...withTotal }), {
      description:
        'The 100 nodes with the most idle cost, the rest as one row `__other__`; the rows add up to `breakdown`',
    }),
    system_reserved: Money('Kept for the system by the nodes: a part of `cluster_idle`'),
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
    used: Nullable(Type.Number(), 'As far as it was measured, see usage_coverage; null when nothing was'),
    requested_percent: Nullable(Type.Number(), 'Of allocatable; null without capacity'),
    used_percent: Nullable(Type.Number(), 'Of allocatable; null without capacity or measurements'),
  })

const assetCost = (what: string) =>
  Nullable(Money(), `${what}; null: there is some and none of it has a price, which is not the same as free`)

export const AssetUnpriced = Type.Object({
  unit_seconds: Type.String({ description: 'KiB of volumes, or parts of what is sold whole, times seconds' }),
  fraction: Type.Number({ minimum: 0, maximum: 1, description: 'Of all there was in the window' }),
})

export const Summary = Type.Object(
  {
    cluster_id: Type.String(),
    window: Window,
    as_of: Nullable(Timestamp, 'The end of the newest hour in the figures; null without one'),
    data_status: DataStatus,
    currency: Type.String(),
    cost_breakdown: Type.Object({
      total: Money('Of all that has a price: compute, storage, load balancers and overhead'),
      compute: PerResource(Money()),
      storage: assetCost('Volumes'),
      load_balancer: assetCost('Load balancers by the hour; traffic is not measured'),
      overhead: assetCost('What serves everybody: the fee for the control plane'),
      unpriced: Type.Object(
        { storage: AssetUnpriced, load_balancer: AssetUnpriced, overhead: AssetUnpriced },
        { description: 'What has no price: it is in no sum of money, and not free. Of compute, see idle_costs' },
      ),
      by_namespace: Type.Array(Type.Object({ namespace: Type.String(), cost: Money() }), {
        maxItems: 10,
        description:
          'The ten largest; what belongs to nobody is `__idle__`, `__unmounted__`, `__unattached__` and `__overhead__`',
      }),
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
          idle_cost: Money('Of which nobody asked for'),
          cpu_allocated_percent: Nullable(Type.Number(), 'Of capacity'),
          memory_allocated_percent: Nullable(Type.Number(), 'Of capacity'),
        }),
        { maxItems: 10, description: 'The ten emptiest that are still there' },
      ),
    }),
    top_recommendations: Nullable(
      Type.Array(Recommendation, { maxItems: 5, description: 'The five that save most' }),
      'Null for a caller without recommendations:read',
    ),
    idle_costs: IdleCosts,
    potential_savings: Type.Object({
      estimated: Money('A month'),
      bankable: Money('A month'),
      currency: Type.String(),
      by_category: Type.Unsafe<Record<string, number>>({ type: 'object', additionalProperties: { type: 'number' } }),
    }),
  },
  { title: 'Summary' },
)

export const WindowQuery = Closed(windowQuery)

export type AssetUnpriced = Static<typeof AssetUnpriced>
export type IdleCosts = Static<typeof IdleCosts>
export type Summary = Static<typeof Summary>
