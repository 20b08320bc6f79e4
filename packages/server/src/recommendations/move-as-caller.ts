import type { BatchItem, BatchResult } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import pg from 'pg'
import { recordChanges } from '../audit/index.ts'
import type { Db } from '../platform/db/database.ts'
import type { Deps } from '../platform/deps.ts'
import { Problem } from '../platform/http/problem.ts'
import { requestUser } from '../platform/http/request-caller.ts'
import { allowedActions, type Permissions } from './allowed-actions.ts'
import { moveRecommendations, type Move, type MoveOutcome } from './move-recommendations.ts'
import type { RecommendationRow } from './queries/recommendations.ts'

export type Wish = Pick<Move, 'action' | 'reason' | 'snoozeUntil'>

type Audited = Parameters<typeof recordChanges>[3]

type Asked = {
  request: FastifyRequest
  ids: readonly string[]
  wish: Wish
  demand?: Parameters<typeof moveRecommendations>[1]['demand']
  /** The audit entries of the changed recommendations; by default one entry each. */
  audit?: (changed: readonly RecommendationRow[]) => Audited
}

/** Moves recommendations for the caller, with the audit entries in the same transaction. */
export async function moveAsCaller(
  deps: Deps,
  tx: Db,
  { request, ids, wish, demand, audit = (changed) => changed.map((row) => auditOne(row, wish)) }: Asked,
): Promise<Map<string, MoveOutcome>> {
  const caller = requestUser(request)
  const actor = { kind: caller.kind, id: caller.userId, email: caller.email }
  const outcomes = await moveRecommendations(tx, {
    ids,
    grant: caller,
    move: { ...wish, actor, now: deps.now() },
    demand,
  }).catch((error: unknown) => {
    throw isTaken(error) ? replaced(wish) : error
  })
  const changed = [...outcomes.values()].flatMap((outcome) => (outcome.kind === 'changed' ? [outcome.row] : []))
  if (changed.length > 0) await recordChanges(deps, tx, request, audit(changed))
  return outcomes
}

const auditOne = (row: RecommendationRow, { action, reason }: Wish): Audited[number] => ({
  action: `recommendation.${action}`,
  target: { type: 'recommendation', id: row.recommendation_id },
  detail: {
    cluster_id: row.cluster_id,
    rule_id: row.rule_id,
    title: row.title,
    ...(reason === null ? {} : { reason }),
  },
})

/** A newer one of the same rule and target is open: only one may be open. */
const isTaken = (error: unknown) => error instanceof pg.DatabaseError && error.constraint === 'recommendation_open'

const replaced = ({ action }: Wish) =>
  new Problem(
    'recommendation_state',
    'A newer recommendation for the same object is open. Approve or reject that one.',
    {
      members: { current_status: action === 'withdraw' ? 'implemented' : 'rejected', allowed_actions: [] },
    },
  )

/** In the order of the ids; a repeated id counts once. */
export function batchResult(
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
    allowed_actions: allowedActions(outcome.row, caller),
    detail: kind === 'conflict' ? `The recommendation is ${status}.` : null,
  }
}
