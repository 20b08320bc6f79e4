import { Type, type Static } from 'typebox'
import { InstallTemplate } from './agent-install.ts'
import { AgentTokenList } from './agent-tokens.ts'
import { DataQuality } from './cluster-contents.ts'
import { Cluster } from './clusters.ts'
import { Closed, includeOf, Nullable } from './common.ts'

export const clusterIncludes = ['data_quality', 'install', 'agent_tokens'] as const

export const ClusterQuery = Closed(includeOf(clusterIncludes))

const without = 'null without the permission'

export const ClusterDetail = Type.Object(
  {
    ...Cluster.properties,
    data_quality: Type.Optional(
      Nullable(DataQuality, `With \`include=data_quality\`: data quality of the last 7 days; ${without}`),
    ),
    install: Type.Optional(InstallTemplate),
    agent_tokens: Type.Optional(
      Nullable(AgentTokenList.properties.agent_tokens, `With \`include=agent_tokens\`; ${without}`),
    ),
  },
  { title: 'ClusterDetail' },
)

export type ClusterDetail = Static<typeof ClusterDetail>
