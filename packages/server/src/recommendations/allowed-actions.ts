import { operations, type Permission, type RecommendationAction } from '@plimsoll/contract'
import { actionsFrom } from '@plimsoll/pipeline/advice'
import type { RecommendationRow } from './queries/recommendations.ts'

export type Permissions = {
  permissions: ReadonlySet<Permission>
  /** Null or absent: all namespaces. */
  namespaces?: readonly string[] | null
}

const operationOf = {
  approve: operations.approveRecommendation,
  reject: operations.rejectRecommendation,
  apply: operations.applyRecommendation,
  reopen: operations.reopenRecommendation,
  snooze: operations.snoozeRecommendation,
  withdraw: operations.withdrawRecommendation,
} satisfies Record<RecommendationAction, unknown>

export type Decided = Pick<RecommendationRow, 'status' | 'verification' | 'verification_detail'>

/** Marked as implemented, and the change is not observed yet. */
export const isUnobserved = ({ status, verification, verification_detail: detail }: Decided): boolean =>
  status === 'implemented' && verification === 'awaiting' && (detail?.observed_at ?? null) === null

/** The actions that fit the status and that the caller has the permission for. */
export const allowedActions = (row: Decided, { permissions }: Permissions): RecommendationAction[] =>
  actionsFrom({ status: row.status, isUnobserved: isUnobserved(row) }).filter((action) =>
    permissionsFor(action, row).every((permission) => permissions.has(permission)),
  )

/** To undo "implemented", the caller needs the permission to mark recommendations as implemented. */
export const permissionsFor = (action: RecommendationAction, { status }: Decided): Permission[] => [
  operationOf[action].access,
  ...(action === 'withdraw' && status === 'implemented' ? (['recommendations:apply'] as const) : []),
]
