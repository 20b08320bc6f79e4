import { Type, type Static } from 'typebox'
import { InstallCommands } from './agent-install.ts'
import { Closed, Name, Nullable, pageFields, pageQuery, Timestamp, VisibleText, WithDefault } from './common.ts'

export const clusterStatuses = ['pending', 'active', 'stale', 'disconnected', 'degraded', 'error'] as const
export type ClusterStatus = (typeof clusterStatuses)[number]

export const Condition = Type.Object(
  {
    type: Type.String(),
    ok: Type.Boolean(),
    reason: Type.String({ description: 'Machine-readable reason' }),
    message: Type.String({ description: 'Problem and remedy, for display' }),
    since: Timestamp,
  },
  { title: 'Condition' },
)

const wholeClusterOnly = 'Null for a role limited to namespaces, because the value counts all namespaces'

const clusterFields = {
  id: Type.String({ examples: ['cls_01k3v7m9q2x4t6b8n0d2f4h6j8'] }),
  name: Type.String(),
  provider: Type.String({ description: '`unknown` until set or reported' }),
  region: Type.String({ description: '`unknown` until set or reported' }),
  status: Type.Unsafe<ClusterStatus>({ type: 'string', enum: [...clusterStatuses] }),
  node_count: Nullable(Type.Integer(), wholeClusterOnly),
  pod_count: Nullable(Type.Integer(), wholeClusterOnly),
  monthly_cost: Nullable(Type.Number(), `At most 6 decimals. ${wholeClusterOnly}`),
  currency: Type.String(),
  last_sync_at: Nullable(Timestamp, 'Latest processed observation; null while pending'),
  conditions: Type.Array(Condition),
  agent: Type.Object({ version: Nullable(Type.String()), last_seen_at: Nullable(Timestamp) }),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Cluster = Type.Object(clusterFields, { title: 'Cluster' })

export const CreatedCluster = Type.Object(
  {
    ...clusterFields,
    agent_token: Type.Optional(Type.String({ description: 'Shown only once; absent in an idempotent replay' })),
    install: Type.Optional(InstallCommands),
  },
  { title: 'CreatedCluster' },
)

const place = VisibleText({ maxLength: 100 })

const provider = VisibleText({
  maxLength: 100,
  description:
    'Provider name or alias, such as aws, EKS, gcp or azure. Other names are accepted; the condition `provider` then lists the known names. Without a price list, nodes have estimated prices unless they report a known provider',
})

export const CreateClusterBody = Closed(
  { name: Name, provider: Type.Optional(provider), region: Type.Optional(place) },
  { title: 'CreateClusterBody', examples: [{ name: 'prod-eu', provider: 'aws', region: 'eu-central-1' }] },
)

export const UpdateClusterBody = Closed(
  { name: Type.Optional(Name), provider: Type.Optional(provider), region: Type.Optional(place) },
  { title: 'UpdateClusterBody', minProperties: 1, examples: [{ name: 'prod-europe' }] },
)

const clusterSorts = ['name', '-name', 'created_at', '-created_at'] as const
export type ClusterSort = (typeof clusterSorts)[number]

export const clusterPageSize = { max: 1000, default: 1000 }

export const ListClustersQuery = Closed({
  ...pageQuery(clusterPageSize.max, clusterPageSize.default),
  sort: WithDefault(
    Type.Unsafe<ClusterSort>({
      type: 'string',
      enum: [...clusterSorts],
      default: 'name',
    }),
  ),
})

const ListedCluster = Type.Object(
  {
    ...Cluster.properties,
    open_recommendations: Nullable(
      Type.Integer(),
      'Number of pending recommendations that the caller can see; null without recommendations:read',
    ),
  },
  { title: 'ListedCluster' },
)

export const ClusterList = Type.Object({ clusters: Type.Array(ListedCluster), ...pageFields }, { title: 'ClusterList' })

export type Cluster = Static<typeof Cluster>
export type Condition = Static<typeof Condition>
export type CreatedCluster = Static<typeof CreatedCluster>
export type ClusterList = Static<typeof ClusterList>
