import { Type, type Static } from 'typebox'
import { Closed, Formed, Nullable, Timestamp, workloadPattern } from './common.ts'
import { Money } from './money.ts'
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
        '`total` of a cluster is all that it costs, as in its summary, and of a node its compute. The classes of compute are ' +
        'as in idle-costs. Of a namespace or a workload: total, workload, workload_idle or unmeasured',
    }),
  ),
  resource: Type.Optional(
    Formed(`^(${resources.join('|')})(,(${resources.join('|')}))*$`, `one or several of ${resources.join(', ')}`, {
      description: `One or several of ${resources.join(', ')}, separated by commas; all that the figure has without it`,
      examples: ['cpu,memory,gpu'],
    }),
  ),
  namespace: Type.Optional(Type.String({ minLength: 1, maxLength: 253, description: 'Of this namespace alone' })),
  workload: Type.Optional(
    Formed(`^${workloadPattern}$`, 'namespace/kind/name', {
      minLength: 1,
      maxLength: 800,
      description: 'Of this workload alone, as namespace/kind/name',
      examples: ['shop/Deployment/checkout'],
    }),
  ),
  node_uid: Type.Optional(Type.String({ minLength: 1, maxLength: 253, description: 'Of this node alone' })),
})

const Exact = Type.String({ description: 'US dollars, every digit', examples: ['0.115000000000000000000000'] })

export const Explanation = Type.Object(
  {
    cluster_id: Type.String(),
    window: Window,
    data_status: DataStatus,
    currency: Type.String(),
    figure: Type.Unsafe<Figure>({ type: 'string', enum: [...figures] }),
    formula: Type.String({
      description: 'Its words are defined in `definitions`',
      examples: ['the sum of (alloc − used) × rate over hours, resources and rates'],
    }),
    definitions: Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
      description:
        'What each word of the formula means, for people. `alloc` is what containers were allocated: what they asked for, and ' +
        'what they used beyond that as far as the node had room; `used` is what they used of it; `capacity` is the whole node',
    }),
    notes: Type.Array(Type.String(), { description: 'For people: what has to be known to read the amount rightly' }),
    amount: Money('As other answers show it'),
    exact_amount: Exact,
    parts: Type.Array(
      Type.Object({
        resource: Type.Unsafe<(typeof resources)[number]>({ type: 'string', enum: [...resources] }),
        unit: Type.String({ examples: ['microcore-seconds'] }),
        terms: Type.Unsafe<Record<string, string>>({
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'What the quantity is made of, as named in the formula',
        }),
        quantity: Type.String({ description: 'A whole number' }),
        rate: Type.Object({
          id: Type.String(),
          usd_per_unit_second: Nullable(Type.String(), 'Every digit; null: it has no price'),
          node_usd_per_hour: Nullable(Type.String(), 'What the rate of a node was cut from'),
          valid_from: Timestamp,
          estimated: Type.Boolean(),
          class: Type.Unsafe<unknown>({
            description: 'What kind of node, volume, balancer or control plane it is the price of',
          }),
          evidence: Type.Unsafe<Record<string, unknown>>({
            type: 'object',
            additionalProperties: true,
            description: 'Price book, source and date',
          }),
        }),
        exact_amount: Exact,
      }),
      { description: 'Quantity × rate; they add up to `exact_amount`' },
    ),
    hours: Type.Array(
      Type.Object({
        hour: Timestamp,
        revision: Type.Integer({ description: 'Above 1: late data has changed it' }),
        exact_amount: Exact,
      }),
      { description: 'The same amount, hour by hour' },
    ),
    nodes: Nullable(
      Type.Array(Type.Object({ node_uid: Type.String(), node: Type.String(), exact_amount: Exact })),
      'The compute in it, node by node: the 100 largest and the rest as `__other__`. Null for a namespace or a workload: what ran on which node is not stored',
    ),
    assets: Type.Array(
      Type.Object({
        asset_uid: Type.String(),
        kind: Type.String({ description: 'volume, balancer or control_plane' }),
        name: Type.String({ description: 'Of the claim or the service' }),
        namespace: Type.String(),
        exact_amount: Exact,
      }),
      { description: 'What is no node in it, one by one: the 100 largest and the rest as `__other__`' },
    ),
  },
  { title: 'Explanation' },
)

export type Explanation = Static<typeof Explanation>
