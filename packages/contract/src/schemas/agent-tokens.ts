import { Type, type Static } from 'typebox'
import { InstallCommands } from './agent-install.ts'
import { Closed, Nullable, pageFields, pageQuery, Timestamp } from './common.ts'

const agentTokenFields = {
  id: Type.String({ examples: ['agt_01k3v7m9q2x4t6b8n0d2f4h6j8'] }),
  cluster_id: Type.String(),
  created_at: Timestamp,
  expires_at: Nullable(Timestamp, 'When an older token stops working; null for the current token'),
  last_used_at: Nullable(Timestamp),
}

export const AgentToken = Type.Object(agentTokenFields, { title: 'AgentToken' })

export const ListAgentTokensQuery = Closed(pageQuery(500, 100))

export const AgentTokenList = Type.Object(
  { agent_tokens: Type.Array(AgentToken), ...pageFields },
  { title: 'AgentTokenList' },
)

export const RotateAgentTokenBody = Closed(
  {
    overlap_minutes: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 7 * 24 * 60,
        default: 24 * 60,
        description: 'How long older tokens keep working; 0 revokes them immediately',
      }),
    ),
  },
  { title: 'RotateAgentTokenBody', examples: [{ overlap_minutes: 60 }] },
)

export const RotatedAgentToken = Type.Object(
  {
    ...agentTokenFields,
    token: Type.Optional(Type.String({ description: 'Shown only once; absent in an idempotent replay' })),
    install: Type.Optional(InstallCommands),
  },
  { title: 'RotatedAgentToken' },
)

export type AgentToken = Static<typeof AgentToken>
export type RotatedAgentToken = Static<typeof RotatedAgentToken>
export type AgentTokenList = Static<typeof AgentTokenList>
