import { DIAL_NAMES, POOL_SCALINGS, type DialName, type PoolScaling as PoolAnswer } from '@plimsoll/engine/vocabulary'
import { Type, type Static } from 'typebox'
import { PoolScaling } from './cluster-contents.ts'
import { Closed, ItemEtag, NamespaceName, Nullable, pageFields, pageQuery, Timestamp } from './common.ts'

const settings = {
  dial: Type.Unsafe<DialName>({
    type: 'string',
    enum: [...DIAL_NAMES],
    description: 'Target for the total of all requests: below, equal to or above the VPA total',
  }),
  min_history_days: Type.Number({
    minimum: 0,
    maximum: 35,
    description: 'Minimum days of history for a recommendation',
  }),
  min_coverage: Type.Number({ minimum: 0, maximum: 1, description: 'Minimum share of the expected samples' }),
  min_savings: Type.Number({ minimum: 0, maximum: 1e9, description: 'USD per month; smaller savings are withheld' }),
  min_cpu_millicores: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  min_memory_mib: Type.Integer({ minimum: 1, maximum: 10_000_000 }),
  include_system_namespaces: Type.Boolean(),
  excluded: Type.Boolean({ description: 'No recommendations for this scope' }),
  owner_labels: Type.Array(Type.String({ minLength: 1, maxLength: 317 }), {
    maxItems: 20,
    description: 'Labels that can name the owner of a workload',
  }),
  node_pool_scaling: Type.Record(Type.String(), Type.Unsafe<PoolAnswer>({ type: 'string', enum: [...POOL_SCALINGS] }), {
    maxProperties: 500,
    description: 'Only for the whole cluster: answers for node pools whose autoscaler the agent cannot detect',
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
    name: Type.String({ description: 'Empty: nodes without a node pool label' }),
    nodes: Type.Integer({ minimum: 1 }),
    scaling: PoolScaling,
  },
  { title: 'NodePoolScaling' },
)

export const PolicyList = Type.Object(
  {
    policies: Type.Array(Policy, {
      description: 'Policies that are set; a namespace setting overrides the cluster setting',
    }),
    defaults: Type.Object(settings, { description: 'Default settings' }),
    node_pools: Type.Optional(
      Type.Array(NodePoolScaling, {
        description: 'Returned only on the first page with `cluster_id`, and only if the role covers the whole cluster',
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
    description: 'Replaces the policy of this cluster or namespace; empty settings remove the policy',
    examples: [{ cluster_id: 'cls_01k3v7m9q2x4t6b8n0d2f4h6j8', namespace: 'shop', settings: { dial: 'safe' } }],
  },
)

const policyPageSize = { max: 500, default: 100 }

export const ListPoliciesQuery = Closed({
  cluster_id: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: 'Default: the policies of all clusters' }),
  ),
  ...pageQuery(policyPageSize.max, policyPageSize.default),
})

export type Policy = Static<typeof Policy>
export type PolicySettings = Static<typeof PolicySettings>
export type PolicyList = Static<typeof PolicyList>
export type NodePoolScaling = Static<typeof NodePoolScaling>
