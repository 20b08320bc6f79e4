import { Type } from 'typebox'

/** Any text: an invalid id gets 404, like an unknown id. */
const Id = Type.String()

export const ClusterParams = Type.Object({ cluster_id: Id })
export const AgentTokenParams = Type.Object({ cluster_id: Id, token_id: Id })
export const PlanStepParams = Type.Object({ cluster_id: Id, step_id: Id })
export const JobParams = Type.Object({ job_id: Id })
export const RecommendationParams = Type.Object({ id: Id })
export const PriceOverrideParams = Type.Object({ override_id: Id })
export const UserParams = Type.Object({ user_id: Id })
export const TeamParams = Type.Object({ team: Id })
export const RoleParams = Type.Object({ role: Id })
export const AlertParams = Type.Object({ alert_id: Id })
export const AlertRuleParams = Type.Object({ rule: Id })
export const BudgetParams = Type.Object({ budget_id: Id })
export const ChannelParams = Type.Object({ channel_id: Id })
export const StatementParams = Type.Object({ month: Id, team: Id })
export const ViewParams = Type.Object({ view_id: Id })
export const SessionParams = Type.Object({ session_id: Id })
export const ApiKeyParams = Type.Object({ key_id: Id })
