import type { RecommendationAction, RecommendationStatus } from '@plimsoll/contract'

type Move = { from: readonly RecommendationStatus[]; to: RecommendationStatus }

const moves: Record<RecommendationAction, Move> = {
  approve: { from: ['pending'], to: 'approved' },
  reject: { from: ['pending', 'approved'], to: 'rejected' },
  apply: { from: ['pending', 'approved'], to: 'implemented' },
  reopen: { from: ['rejected'], to: 'pending' },
  snooze: { from: ['pending'], to: 'pending' },
}

export type MoveDecision = { kind: 'move'; to: RecommendationStatus } | { kind: 'repeat' } | { kind: 'conflict' }

export type Standing = {
  status: RecommendationStatus
  /** The last action of a user. */
  lastAction: RecommendationAction | null
}

/**
 * Repeating an action changes nothing and is not an error. Any other action that does not fit the state is a conflict.
 */
export function decideMove(action: RecommendationAction, { status, lastAction }: Standing): MoveDecision {
  const { from, to } = moves[action]
  if (from.includes(status)) return { kind: 'move', to }
  // A reopened recommendation is pending. Only a previous `reopen` makes reopening a repetition.
  const isRepeated = status === to && (action !== 'reopen' || lastAction === 'reopen')
  return isRepeated ? { kind: 'repeat' } : { kind: 'conflict' }
}

/** The actions that fit the status, for a caller with every permission. */
export function actionsFrom(status: RecommendationStatus): RecommendationAction[] {
  return (Object.keys(moves) as RecommendationAction[]).filter((action) => moves[action].from.includes(status))
}
