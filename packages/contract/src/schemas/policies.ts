import { Type, type Static } from 'typebox'
import { PoolScaling } from './cluster-contents.ts'
import { Closed, ItemEtag, NamespaceName, Nullable, pageFields, pageQuery, Timestamp } from './common.ts'

export const dialNames = ['thrifty', 'balanced', 'safe'] as const
export type DialName = (typeof dialNames)[number]

export const poolAnswers = ['automatic', 'manual'] as const
export type PoolAnswer = (typeof poolAnswers)[number]

const settings = {
  dial: Type.Unsafe<DialName>({
    type: 'string',
    enum: [...dialNames],
    description: 'How much is spent on safety: less than, exactly, or more than what VPA would request in total',
  }),
  min_history_days: Type.Number({ minimum: 0, maximum: 35, description: 'History without which no advice is given' }),
  min_coverage: Type.Number({ minimum: 0, maximum: 1, description: 'Of the samples that were to be expected' }),
  min_savings: Type.Number({ minimum: 0, maximum: 1e9, description: 'A month; smaller savings are withheld' }),
  min_cpu_millicores: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  min_memory_mib: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
  include_system_namespaces: Type.Boolean(),
  excluded: Type.Boolean({ description: 'No advice here at all' }),
  owner_labels: Type.Array(Type.String({ minLength: 1, maxLength: 317 }), {
    maxItems: 20,
    description: 'Labels of which one says who owns a workload',
  }),
  node_pool_scaling: Type.Record(Type.String(), Type.Unsafe<PoolAnswer>({ type: 'string', enum: [...poolAnswers] }), {
    maxProperties: 500,
    description:
      'For the whole cluster only: node pools of which the agent cannot tell whether an autoscaler resizes them, with the answer of a person',
  }),
}

const PolicySettings = Type.Partial(Type.Object(settings), { title: 'PolicySettings' })

export const Policy = Type.Object(
  {
    cluster_id: Type.String(),
    namespace: Nullable(Type.String(), 'Null: the whole cluster'),
    settings: PolicySettings,
    updated_at: Timestamp,
    etag: ItemEtag,
  },
  { title: 'Policy' },
)

const NodePoolScaling = Type.Object(
  {
    name: Type.String({ description: 'Empty: nodes without a label that names a pool' }),
    nodes: Type.Integer({ minimum: 1 }),
    scaling: PoolScaling,
  },
  { title: 'NodePoolScaling' },
)

export const PolicyList = Type.Object(
  {
    policies: Type.Array(Policy, { description: 'What somebody has set; of the narrower one what is set there wins' }),
    defaults: Type.Object(settings, { description: 'What holds where nothing is set' }),
    node_pools: Type.Optional(
      Type.Array(NodePoolScaling, {
        description: 'With `cluster_id`, on the first page, for a role that sees the whole cluster',
      }),
    ),
    ...pageFields,
  },
  { title: 'PolicyList' },
)

export const PutPolicyBody = Closed(
  {
    cluster_id: Type.String({ minLength: 1, maxLength: 100 }),
    namespace: Type.Optional(Nullable(NamespaceName, 'Null or absent: the whole cluster')),
    settings: Type.Partial(Type.Object(settings), { additionalProperties: false }),
  },
  {
    title: 'PutPolicyBody',
    description: 'Replaces what was set for this cluster or namespace; empty settings take it away',
    examples: [{ cluster_id: 'cls_01k3v7m9q2x4t6b8n0d2f4h6j8', namespace: 'shop', settings: { dial: 'safe' } }],
  },
)

const policyPageSize = { max: 500, default: 100 }

export const ListPoliciesQuery = Closed({
  cluster_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Without it, the policies of all clusters' }),
  ),
  ...pageQuery(policyPageSize.max, policyPageSize.default),
})

export type Policy = Static<typeof Policy>
export type PolicySettings = Static<typeof PolicySettings>
export type PolicyList = Static<typeof PolicyList>
export type NodePoolScaling = Static<typeof NodePoolScaling>
