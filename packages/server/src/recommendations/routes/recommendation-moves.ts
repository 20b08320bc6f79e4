import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type BatchResult, type BatchItem, type RecommendationAction, operations } from '@plimsoll/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import pg from 'pg'
import { recordChanges } from '../../audit/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { change } from '../../platform/http/change.ts'
import { demandMatch } from '../../platform/http/etag.ts'
import { requestUser } from '../../platform/http/request-caller.ts'
import { Problem } from '../../platform/http/problem.ts'
import { allowedActions, type Permissions } from '../allowed-actions.ts'
import { moveRecommendations, type Move, type MoveOutcome } from '../move-recommendations.ts'
import { presentRecommendation } from '../present-recommendation.ts'
import { recommendationNotFound, visibleRecommendation } from '../recommendation-access.ts'
import { handle } from '../../platform/http/handle.ts'

const moves = {
  approve: operations.approveRecommendation,
  reject: operations.rejectRecommendation,
  apply: operations.applyRecommendation,
  reopen: operations.reopenRecommendation,
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
        demandApply(request, action)
        const outcomes = await move(deps, tx, { request, ids: [...new Set(ids)], wish: { action, reason } })
        const body = batchResult(ids, outcomes, requestUser(request))
        if (atomic && body.summary.failed > 0) throw refused(body)
        return { status: 200, body }
      }),
  })
}

type Wish = Pick<Move, 'action' | 'reason' | 'snoozeUntil'>

function moveOne(deps: Deps, request: FastifyRequest, reply: FastifyReply, { id, wish }: { id: string; wish: Wish }) {
  return change(deps, request, reply, async (tx) => {
    const outcomes = await move(deps, tx, {
      request,
      ids: [id],
      wish,
      demand: ({ revision }) => demandMatch(request, revision),
    })
    const outcome = outcomes.get(id) ?? { kind: 'not_found' }
    if (outcome.kind === 'not_found') throw recommendationNotFound(id)
    if (outcome.kind === 'conflict') throw wrongState(outcome.row.status, wish.action, requestUser(request))
    const body = { ...presentRecommendation(outcome.row, requestUser(request)), changed: outcome.kind === 'changed' }
    return { status: 200, body, revision: outcome.row.revision, resourceId: outcome.row.cluster_id }
  })
}

async function move(
  deps: Deps,
  tx: Db,
  {
    request,
    ids,
    wish,
    demand,
  }: {
    request: FastifyRequest
    ids: readonly string[]
    wish: Wish
    demand?: Parameters<typeof moveRecommendations>[1]['demand']
  },
): Promise<Map<string, MoveOutcome>> {
  const caller = requestUser(request)
  const actor = { kind: caller.kind, id: caller.userId, email: caller.email }
  const outcomes = await moveRecommendations(tx, {
    ids,
    grant: caller,
    move: { ...wish, actor, now: deps.now() },
    demand,
  }).catch((error: unknown) => {
    throw isTaken(error) ? replaced() : error
  })
  const changes = [...outcomes].flatMap(([id, outcome]) =>
    outcome.kind === 'changed'
      ? [
          {
            action: `recommendation.${wish.action}` as const,
            target: { type: 'recommendation' as const, id },
            detail: {
              cluster_id: outcome.row.cluster_id,
              rule_id: outcome.row.rule_id,
              title: outcome.row.title,
              ...(wish.reason === null ? {} : { reason: wish.reason }),
            },
          },
        ]
      : [],
  )
  await recordChanges(deps, tx, request, changes)
  return outcomes
}

/** A newer one of the same rule and target is open: only one may be. */
const isTaken = (error: unknown) => error instanceof pg.DatabaseError && error.constraint === 'recommendation_open'

const replaced = () =>
  new Problem('recommendation_state', 'A newer recommendation for the same object is open. Decide on the newer one.', {
    members: { current_status: 'rejected', allowed_actions: [] },
  })

const wrongState = (status: MoveRow['status'], action: RecommendationAction, caller: Permissions) =>
  new Problem('recommendation_state', `The recommendation is ${status}, so '${action}' is not possible.`, {
    members: { current_status: status, allowed_actions: allowedActions(status, caller) },
  })

type MoveRow = Extract<MoveOutcome, { row: unknown }>['row']

function demandApply(request: FastifyRequest, action: RecommendationAction): void {
  const needed = 'recommendations:apply'
  if (action !== 'apply' || requestUser(request).permissions.has(needed)) return
  throw new Problem('forbidden', `Applying requires the permission ${needed}.`, {
    members: { required_permission: needed },
  })
}

function batchResult(
  ids: readonly string[],
  outcomes: ReadonlyMap<string, MoveOutcome>,
  caller: Permissions,
): BatchResult {
  const seen = new Set<string>()
  const results = ids.map((id) => {
    const outcome = outcomes.get(id) ?? { kind: 'not_found' }
    const item = batchItem(id, outcome, { isAgain: seen.has(id), caller })
    seen.add(id)
    return item
  })
  const count = (...kinds: BatchItem['outcome'][]) => results.filter(({ outcome }) => kinds.includes(outcome)).length
  return {
    summary: {
      requested: ids.length,
      changed: count('changed'),
      unchanged: count('unchanged'),
      failed: count('conflict', 'not_found'),
    },
    results,
  }
}

function batchItem(
  id: string,
  outcome: MoveOutcome,
  { isAgain, caller }: { isAgain: boolean; caller: Permissions },
): BatchItem {
  if (outcome.kind === 'not_found') {
    const detail = 'There is no such recommendation.'
    return { id, outcome: 'not_found', changed: false, status: null, allowed_actions: [], detail }
  }
  const { status } = outcome.row
  const kind = outcome.kind === 'changed' && isAgain ? 'unchanged' : outcome.kind
  return {
    id,
    outcome: kind,
    changed: kind === 'changed',
    status,
    allowed_actions: allowedActions(status, caller),
    detail: kind === 'conflict' ? `The recommendation is ${status}.` : null,
  }
}

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
