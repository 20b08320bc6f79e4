import { Type } from 'typebox'
import { NoContent } from '../schemas/common.ts'
import {
  AgentTokenList,
  ListAgentTokensQuery,
  RotateAgentTokenBody,
  RotatedAgentToken,
} from '../schemas/agent-tokens.ts'
import { AgentTokenParams, ClusterParams } from '../schemas/path-params.ts'
import { operation } from './operation.ts'

export const agentTokenOperations = {
  listAgentTokens: operation('GET /api/v1/clusters/:cluster_id/agent-tokens', {
    access: 'clusters:token',
    tag: 'Agent tokens',
    summary: 'List the agent tokens of a cluster',
    params: ClusterParams,
    query: ListAgentTokensQuery,
    response: { 200: AgentTokenList },
  }),

  rotateAgentToken: operation('POST /api/v1/clusters/:cluster_id/agent-tokens', {
    access: 'clusters:token',
    tag: 'Agent tokens',
    summary: 'Rotate the agent token',
    description:
      'Creates a token. Only this response contains the token and the install commands. Older tokens stay valid for `overlap_minutes`.',
    params: ClusterParams,
    body: Type.Optional(RotateAgentTokenBody),
    response: { 201: RotatedAgentToken },
  }),

  revokeAgentToken: operation('DELETE /api/v1/clusters/:cluster_id/agent-tokens/:token_id', {
    access: 'clusters:token',
    tag: 'Agent tokens',
    summary: 'Revoke an agent token immediately',
    params: AgentTokenParams,
    response: { 204: NoContent },
  }),
}
