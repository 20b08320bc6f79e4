import { Type, type Static } from 'typebox'
import { Closed, Formed, Nullable, Timestamp, workloadPattern } from './common.ts'
import { ExactMoney, Money } from './money.ts'
import { DataStatus, Window, windowQuery } from './windows.ts'

export const figures = [
  'total',
  'workload',
  'workload_idle',
  'cluster_idle',
  'system_reserved',
  'unmeasured',
  'unmounted',
  'unattached',
] as const
export type Figure = (typeof figures)[number]

const resources = ['cpu', 'memory', 'gpu', 'storage', 'load_balancer', 'overhead'] as const
export type ExplainedResource = (typeof resources)[number]

export const ExplainQuery = Closed({
  ...windowQuery,
  figure: Type.Optional(
    Type.Unsafe<Figure>({
      type: 'string',
      enum: [...figures],
      default: 'total',
      description:
        '`total` of a cluster is its total cost, as in its summary; `total` of a node is its compute cost. The compute classes are ' +
        'those of idle-costs. For a namespace or a workload: total, workload, workload_idle or unmeasured',
    }),
  ),
  resource: Type.Optional(
    Formed(`^(${resources.join('|')})(,(${resources.join('|')}))*$`, `one or more of ${resources.join(', ')}`, {
      description: `One or more of ${resources.join(', ')}, comma-separated; default: all resources of the figure`,
      examples: ['cpu,memory,gpu'],
    }),
  ),
  namespace: Type.Optional(Type.String({ minLength: 1, maxLength: 253, description: 'Only this namespace' })),
  workload: Type.Optional(
    Formed(`^${workloadPattern}$`, 'namespace/kind/name', {
      minLength: 1,
      maxLength: 800,
      description: 'Only this workload, as namespace/kind/name',
      examples: ['shop/Deployment/checkout'],
    }),
  ),
  node_uid: Type.Optional(Type.String({ minLength: 1, maxLength: 253, description: 'Only this node' })),
})

export const Explanation = Type.Object(
  {
    cluster_id: Type.String(),
    window: Window,
    data_status: DataStatus,
    currency: Type.String(),
    figure: Type.Unsafe<Figure>({ type: 'string', enum: [...figures] }),
    formula: Type.String({
      description: '`definitions` explains the terms',
      examples: ['sum over hours, resources and rates of (alloc − used) × rate'],
    }),
    definitions: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        'Meaning of each term of the formula, for display. `alloc` is the allocation of containers: the request, plus ' +
        'usage above the request as far as the node has free capacity. `used` is the used part of `alloc`. `capacity` is the whole node',
    }),
    notes: Type.Array(Type.String(), { description: 'Notes on the amount, for display' }),
    amount: Money('Rounded, as in other responses'),
    exact_amount: ExactMoney,
    parts: Type.Array(
      Type.Object({
        resource: Type.Unsafe<(typeof resources)[number]>({ type: 'string', enum: [...resources] }),
        unit: Type.String({ examples: ['microcore-seconds'] }),
        terms: Type.Unsafe<Record<string, string>>({
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'Terms of the formula that make up the quantity',
        }),
        quantity: Type.String({ description: 'A whole number' }),
        rate: Type.Object({
          id: Type.String(),
          usd_per_unit_second: Nullable(Type.String(), 'Unrounded; null: not priced'),
          node_usd_per_hour: Nullable(Type.String(), 'Node price behind the rate'),
          valid_from: Timestamp,
          estimated: Type.Boolean(),
          class: Type.Unsafe<unknown>({
            description: 'Type of the priced node, volume, load balancer or control plane',
          }),
          evidence: Type.Unsafe<Record<string, unknown>>({
            type: 'object',
            additionalProperties: true,
            description: 'Price list, source and date',
          }),
        }),
        exact_amount: ExactMoney,
      }),
      { description: 'Quantity × rate; the lines add up to `exact_amount`' },
    ),
    hours: Type.Array(
      Type.Object({
        hour: Timestamp,
        revision: Type.Integer({ description: 'Above 1: late data changed the hour' }),
        exact_amount: ExactMoney,
      }),
      { description: 'The same amount by hour' },
    ),
    nodes: Nullable(
      Type.Array(Type.Object({ node_uid: Type.String(), node: Type.String(), exact_amount: ExactMoney })),
      'Compute by node: the 100 largest and the rest as `__other__`. Null for a namespace or a workload, because cost per workload and node is not stored',
    ),
    assets: Type.Array(
      Type.Object({
        asset_uid: Type.String(),
        kind: Type.String({ description: 'volume, balancer or control_plane' }),
        name: Type.String({ description: 'Name of the claim or Service' }),
        namespace: Type.String(),
        exact_amount: ExactMoney,
      }),
      { description: 'Volumes, load balancers and control plane: the 100 largest and the rest as `__other__`' },
    ),
  },
  { title: 'Explanation' },
)

export type Explanation = Static<typeof Explanation>
