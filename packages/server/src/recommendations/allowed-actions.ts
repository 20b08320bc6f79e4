import { operations, type Permission, type RecommendationAction, type RecommendationStatus } from '@plimsoll/contract'
import { actionsFrom } from '@plimsoll/pipeline/advice'

export type Permissions = { permissions: ReadonlySet<Permission> }

const operationOf = {
  approve: operations.approveRecommendation,
  reject: operations.rejectRecommendation,
  apply: operations.applyRecommendation,
  reopen: operations.reopenRecommendation,
  snooze: operations.snoozeRecommendation,
} satisfies Record<RecommendationAction, unknown>

/** The actions that fit the status and that the caller has the permission for. */
export const allowedActions = (status: RecommendationStatus, { permissions }: Permissions): RecommendationAction[] =>
  actionsFrom(status).filter((action) => permissions.has(operationOf[action].access))
