import type { RecommendationAction, RecommendationStatus } from '@plimsoll/contract'

type Move = { from: readonly RecommendationStatus[]; to: RecommendationStatus }

const moves: Record<RecommendationAction, Move> = {
  approve: { from: ['pending'], to: 'approved' },
  reject: { from: ['pending', 'approved'], to: 'rejected' },
  apply: { from: ['pending', 'approved'], to: 'implemented' },
  reopen: { from: ['rejected'], to: 'pending' },
  snooze: { from: ['pending'], to: 'pending' },
  withdraw: { from: ['approved'], to: 'pending' },
}

export type MoveDecision = { kind: 'move'; to: RecommendationStatus } | { kind: 'repeat' } | { kind: 'conflict' }

export type Standing = {
  status: RecommendationStatus
  /** The last action of a user. */
  lastAction: RecommendationAction | null
  /** Marked as implemented, and the cluster does not show the change yet. */
  isUnobserved?: boolean
}

/**
 * Repeating an action changes nothing and is not an error. Any other action that does not fit the state is a conflict.
 */
export function decideMove(action: RecommendationAction, { status, lastAction, ...rest }: Standing): MoveDecision {
  const { from, to } = moves[action]
  if (from.includes(status)) return { kind: 'move', to }
  if (isTakingBack(action, { status, ...rest })) return { kind: 'move', to: 'approved' }
  // A reopened or withdrawn recommendation is pending. Only the same action before makes this a repetition.
  const needsSame = action === 'reopen' || action === 'withdraw'
  const isRepeated = status === to && (!needsSame || lastAction === action)
  return isRepeated ? { kind: 'repeat' } : { kind: 'conflict' }
}

/** The actions that fit the status, for a caller with every permission. */
export function actionsFrom(standing: Omit<Standing, 'lastAction'>): RecommendationAction[] {
  return (Object.keys(moves) as RecommendationAction[]).filter(
    (action) => moves[action].from.includes(standing.status) || isTakingBack(action, standing),
  )
}

/** A mark as implemented can be withdrawn while nothing was observed. */
const isTakingBack = (action: RecommendationAction, { status, isUnobserved = false }: Omit<Standing, 'lastAction'>) =>
  action === 'withdraw' && status === 'implemented' && isUnobserved
