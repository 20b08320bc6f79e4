import type { RecommendationAction, RecommendationStatus } from '@plimsoll/contract'
import { groupBy } from '@plimsoll/engine'
import { maySeeCluster, type Grant } from '../platform/auth/caller.ts'
import { isUnobserved } from './allowed-actions.ts'
import { noteAdviceChange } from './queries/advice-revision.ts'
import type { Db } from '../platform/db/database.ts'
import { findLastAction, insertHistory } from './queries/recommendation-history.ts'
import {
  lockLiveClusters,
  lockRecommendations,
  updateMoved,
  type Moved,
  type RecommendationRow,
} from './queries/recommendations.ts'
import { liftSuppression, suppress, suppressedUntil } from './queries/suppressions.ts'
import { deleteEmptyCredit } from './queries/verifications.ts'
import { clusterOfRecommendation } from '../platform/ids.ts'
import { decideMove, type MoveDecision } from '@plimsoll/pipeline/advice'

export type Actor = { kind: 'person' | 'api_key'; id: string; email: string }

export type Move = { action: RecommendationAction; reason: string | null; snoozeUntil?: Date; actor: Actor; now: Date }

export type MoveOutcome =
  | { kind: 'changed' | 'unchanged' | 'conflict'; row: RecommendationRow }
  /** Missing or inaccessible: the caller cannot tell which. */
  | { kind: 'not_found' }

/** A check before the lock and the move; throws to reject. */
type Demand = (row: RecommendationRow) => void

/**
 * Moves each recommendation as far as its state allows, under a lock: of two concurrent actions, the second sees the
 * result of the first. History, suppression and state change together.
 */
export async function moveRecommendations(
  tx: Db,
  {
    ids,
    grant,
    move,
    demand = () => undefined,
  }: { ids: readonly string[]; grant: Grant; move: Move; demand?: Demand | undefined },
): Promise<Map<string, MoveOutcome>> {
  const rows = await lockVisible(tx, ids, grant)
  for (const row of rows) demand(row)
  const decided = await Promise.all(rows.map(async (row) => ({ row, decision: await decide(tx, row, move) })))
  const moving = decided.flatMap(({ row, decision }) => (decision.kind === 'move' ? [{ row, to: decision.to }] : []))
  for (const [to, own] of groupBy(moving, (each) => each.to)) {
    await write(
      tx,
      own.map(({ row }) => row),
      { to, move },
    )
  }
  if (moving.length > 0) await noteAdviceChange(tx, [...new Set(moving.map(({ row }) => row.cluster_id))])

  const outcomes = new Map<string, MoveOutcome>(ids.map((id) => [id, { kind: 'not_found' }]))
  for (const { row, decision } of decided) outcomes.set(row.recommendation_id, outcomeOf(row, decision, move))
  return outcomes
}

async function lockVisible(tx: Db, ids: readonly string[], grant: Grant): Promise<RecommendationRow[]> {
  const named = ids.flatMap((id) => clusterOfRecommendation(id) ?? [])
  const visible = [...new Set(named)].filter((clusterId) => maySeeCluster(grant, clusterId))
  const clusterIds = visible.length === 0 ? [] : await lockLiveClusters(tx, visible)
  if (clusterIds.length === 0) return []
  const rows = await lockRecommendations(tx, clusterIds, [...new Set(ids)])
  return rows.filter((row) => maySee(grant, row))
}

export const maySee = (grant: Grant, row: Pick<RecommendationRow, 'cluster_id' | 'namespace'>) =>
  maySeeCluster(grant, row.cluster_id) && (grant.namespaces === null || grant.namespaces.includes(row.namespace))

async function decide(tx: Db, row: RecommendationRow, { action, snoozeUntil }: Move): Promise<MoveDecision> {
  const { cluster_id: clusterId, recommendation_id: id, status } = row
  const needsLast = action === 'reopen' || action === 'withdraw'
  const lastAction = needsLast ? await findLastAction(tx, clusterId, id) : null
  const decision = decideMove(action, { status, lastAction, isUnobserved: isUnobserved(row) })
  const isAsleep = row.snoozed_until?.getTime() === snoozeUntil?.getTime()
  return action === 'snooze' && decision.kind === 'move' && isAsleep ? { kind: 'repeat' } : decision
}

async function write(
  tx: Db,
  rows: readonly RecommendationRow[],
  { to, move }: { to: RecommendationStatus; move: Move },
): Promise<void> {
  const clusterIds = [...new Set(rows.map((row) => row.cluster_id))]
  const ids = rows.map((row) => row.recommendation_id)
  await updateMoved(tx, { clusterIds, ids, moved: changesOf(to, move), now: move.now })
  await insertHistory(
    tx,
    'status',
    rows.map((row) => historyOf(row, to, move)),
  )
  if (move.action === 'reject') await suppress(tx, rows, suppressedUntil(move.now))
  if (move.action === 'reopen') for (const row of rows) await liftSuppression(tx, row)
  if (move.action === 'withdraw' && to === 'approved') await deleteEmptyCredit(tx, clusterIds, ids)
}

function changesOf(status: RecommendationStatus, { action, snoozeUntil, now }: Move): Moved {
  if (action === 'approve') return { status, approvedAt: now, snoozedUntil: null }
  if (action === 'apply') return { status, doneAt: now, verification: 'awaiting', snoozedUntil: null }
  if (action === 'snooze') return { status, snoozedUntil: snoozeUntil ?? null }
  if (action === 'withdraw' && status === 'approved') {
    return { status, approvedAt: now, doneAt: null, verification: null }
  }
  return { status, approvedAt: null, snoozedUntil: null }
}

const historyOf = (
  row: RecommendationRow,
  to: RecommendationStatus,
  { action, reason, actor, snoozeUntil, now }: Move,
) => ({
  cluster_id: row.cluster_id,
  recommendation_id: row.recommendation_id,
  position: row.revision + 1,
  at: now,
  action,
  from_status: row.status,
  to_status: to,
  actor_kind: actor.kind,
  actor_id: actor.id,
  actor_email: actor.email,
  reason,
  detail: JSON.stringify(snoozeUntil ? { until: snoozeUntil.toISOString() } : {}),
})

/** The row after the move. */
function outcomeOf(row: RecommendationRow, decision: MoveDecision, move: Move): MoveOutcome {
  if (decision.kind !== 'move') return { kind: decision.kind === 'repeat' ? 'unchanged' : 'conflict', row }
  const { status, approvedAt, doneAt, verification, snoozedUntil } = changesOf(decision.to, move)
  const moved = {
    ...row,
    status,
    ...(approvedAt === undefined ? {} : { approved_at: approvedAt }),
    ...(doneAt === undefined ? {} : { done_at: doneAt }),
    ...(verification === undefined ? {} : { verification }),
    ...(verification === null ? { verification_detail: null } : {}),
    ...(snoozedUntil === undefined ? {} : { snoozed_until: snoozedUntil }),
    revision: row.revision + 1,
    updated_at: move.now,
  }
  return { kind: 'changed', row: moved }
}
