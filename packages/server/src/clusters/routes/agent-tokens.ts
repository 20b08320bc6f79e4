import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type AgentToken, operations } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import { recordChange } from '../../audit/index.ts'
import { endAgentTokens } from '../../platform/auth/end-agent-tokens.ts'
import { makeAgentToken } from '../../platform/auth/make-agent-token.ts'
import { deleteAgentToken, listAgentTokens, type AgentTokenRow } from '../../platform/auth/queries/agent-tokens.ts'
import { lockCluster } from '../queries/clusters.ts'
import type { Deps } from '../../platform/deps.ts'
import { change } from '../../platform/http/change.ts'
import { decodeCursor, encodeCursor, page } from '../../platform/http/cursor.ts'
import { isId } from '../../platform/ids.ts'
import { installCommands } from '../install-commands.ts'
import { Problem, quoted } from '../../platform/http/problem.ts'
import { clusterNotFound, demandWholeCluster, visibleCluster } from '../cluster-access.ts'
import { handle } from '../../platform/http/handle.ts'
const overlapMinutesDefault = 24 * 60

export const agentTokenRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  const preParsing = [visibleCluster(deps), async (request: FastifyRequest) => demandWholeCluster(request)]

  handle(app, operations.listAgentTokens, {
    preParsing,
    handler: async (request) => {
      const { limit, cursor } = request.query
      const { cluster_id: clusterId } = request.params
      const scope = { list: 'agent-tokens', selection: { clusterId } }
      const [after] = decodeCursor(deps.secrets, scope, cursor, deps.now()) ?? []
      const rows = await listAgentTokens(deps.db, clusterId, { after, limit: limit + 1, now: deps.now() })
      const { shown, ...rest } = page(rows, limit, (last) =>
        encodeCursor(deps.secrets, scope, [last.token_id], deps.now()),
      )
      return { agent_tokens: shown.map(presentAgentToken), ...rest }
    },
  })

  handle(app, operations.rotateAgentToken, {
    preParsing,
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { cluster_id: clusterId } = request.params
        const cluster = await lockCluster(tx, clusterId)
        if (!cluster) throw clusterNotFound(clusterId)
        const overlapMinutes = request.body?.overlap_minutes ?? overlapMinutesDefault
        await endAgentTokens(deps, tx, clusterId, new Date(deps.now().getTime() + overlapMinutes * 60_000))
        const { tokenId, token, createdAt } = await makeAgentToken(deps, tx, clusterId)
        const detail = { cluster_id: clusterId, cluster_name: cluster.name, overlap_minutes: overlapMinutes }
        await recordChange(deps, tx, request, {
          action: 'agent_token.rotate',
          target: { type: 'agent_token', id: tokenId },
          detail,
        })
        const made = {
          token_id: tokenId,
          cluster_id: clusterId,
          created_at: createdAt,
          expires_at: null,
          last_used_at: null,
        }
        const shownOnce = { token, install: installCommands(deps.settings, token) }
        return { status: 201, body: presentAgentToken(made), shownOnce, resourceId: clusterId }
      }),
  })

  handle(app, operations.revokeAgentToken, {
    preParsing,
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { cluster_id: clusterId, token_id: tokenId } = request.params
        const cluster = await lockCluster(tx, clusterId)
        if (!cluster) throw clusterNotFound(clusterId)
        const createdAt = isId('agt', tokenId) ? await deleteAgentToken(tx, clusterId, tokenId) : undefined
        if (!createdAt) throw tokenNotFound(tokenId)
        await recordChange(deps, tx, request, {
          action: 'agent_token.revoke',
          target: { type: 'agent_token', id: tokenId },
          detail: { cluster_id: clusterId, cluster_name: cluster.name, created_at: createdAt.toISOString() },
        })
        return { status: 204, body: null }
      }),
  })
}

export function presentAgentToken(row: AgentTokenRow): AgentToken {
  return {
    id: row.token_id,
    cluster_id: row.cluster_id,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }
}

const tokenNotFound = (tokenId: string) =>
  new Problem('agent_token_not_found', `This cluster has no agent token ${quoted(tokenId)}.`)
