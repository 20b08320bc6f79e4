import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type BatchResult, type RecommendationAction, operations } from '@plimsoll/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { demandPermission } from '../../platform/auth/demand-permission.ts'
import type { Deps } from '../../platform/deps.ts'
import { change } from '../../platform/http/change.ts'
import { demandMatch } from '../../platform/http/etag.ts'
import { requestUser } from '../../platform/http/request-caller.ts'
import { Problem } from '../../platform/http/problem.ts'
import { allowedActions, permissionsFor, type Decided, type Permissions } from '../allowed-actions.ts'
import { batchResult, moveAsCaller, type Wish } from '../move-as-caller.ts'
import { presentRecommendation } from '../present-recommendation.ts'
import { recommendationNotFound, visibleRecommendation } from '../recommendation-access.ts'
import { handle } from '../../platform/http/handle.ts'

const moves = {
  approve: operations.approveRecommendation,
  reject: operations.rejectRecommendation,
  apply: operations.applyRecommendation,
  reopen: operations.reopenRecommendation,
  withdraw: operations.withdrawRecommendation,
} satisfies Partial<Record<RecommendationAction, unknown>>

export const recommendationMoveRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  const findFirst = visibleRecommendation(deps)

  for (const [action, operation] of Object.entries(moves)) {
    handle(app, operation, {
      preParsing: findFirst,
      handler: (request, reply) =>
        moveOne(deps, request, reply, {
          id: request.params.id,
          wish: {
            action: action as RecommendationAction,
            reason: request.body?.reason ?? null,
          },
        }),
    })
  }

  handle(app, operations.snoozeRecommendation, {
    preParsing: findFirst,
    handler: (request, reply) =>
      moveOne(deps, request, reply, {
        id: request.params.id,
        wish: {
          action: 'snooze',
          reason: request.body.reason ?? null,
          snoozeUntil: parseUntil(request.body.until, deps.now()),
        },
      }),
  })

  handle(app, operations.moveRecommendations, {
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { action, ids, reason = null, atomic = false } = request.body
        if (action === 'apply') demandPermission(request, 'recommendations:apply')
        const outcomes = await moveAsCaller(deps, tx, { request, ids: [...new Set(ids)], wish: { action, reason } })
        const body = batchResult(ids, outcomes, requestUser(request))
        if (atomic && body.summary.failed > 0) throw refused(body)
        return { status: 200, body }
      }),
  })
}

function moveOne(deps: Deps, request: FastifyRequest, reply: FastifyReply, { id, wish }: { id: string; wish: Wish }) {
  return change(deps, request, reply, async (tx) => {
    const outcomes = await moveAsCaller(deps, tx, {
      request,
      ids: [id],
      wish,
      demand: (row) => {
        demandMatch(request, row.revision)
        for (const permission of permissionsFor(wish.action, row)) demandPermission(request, permission)
      },
    })
    const outcome = outcomes.get(id) ?? { kind: 'not_found' }
    if (outcome.kind === 'not_found') throw recommendationNotFound(id)
    if (outcome.kind === 'conflict') throw wrongState(outcome.row, wish.action, requestUser(request))
    const body = { ...presentRecommendation(outcome.row, requestUser(request)), changed: outcome.kind === 'changed' }
    return { status: 200, body, revision: outcome.row.revision, resourceId: outcome.row.cluster_id }
  })
}

const wrongState = (row: Decided, action: RecommendationAction, caller: Permissions) =>
  new Problem('recommendation_state', `A recommendation with the status ${row.status} does not allow '${action}'.`, {
    members: { current_status: row.status, allowed_actions: allowedActions(row, caller) },
  })

/** Returned with the results, so that the caller can omit the failing ones. */
const refused = ({ summary, results }: BatchResult) =>
  new Problem(
    'batch_refused',
    `${summary.failed} of ${summary.requested} changes are not possible, so no change was made.`,
    {
      members: {
        summary: { ...summary, changed: 0, unchanged: summary.requested - summary.failed },
        results: results.map((item) => (item.changed ? { ...item, outcome: 'unchanged', changed: false } : item)),
      },
    },
  )

const snoozeDaysMax = 366

function parseUntil(text: string, now: Date): Date {
  const until = new Date(text)
  const days = (until.getTime() - now.getTime()) / 86_400_000
  if (days > 0 && days <= snoozeDaysMax) return until
  throw new Problem('invalid_body', `/until: must be in the future and at most one year away, got ${text}.`, {
    errors: [{ pointer: '/until', code: 'range', detail: 'must be in the future and at most one year away' }],
  })
}
