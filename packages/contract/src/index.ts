export type {
  Category as RecommendationCategory,
  DialName,
  Level as LevelName,
  ManifestFormat as ManifestFormatName,
  PoolScaling as PoolAnswer,
  Severity as SeverityName,
  StepKind as StepKindName,
  UnsafeKind,
  Verification as VerificationState,
} from '@plimsoll/engine/vocabulary'
export { auditActions, auditTargetTypes, type AuditAction, type AuditTargetType } from './audit-actions.ts'
export { isOpenToAnyone, pageRouteAccess, routeAccess, type Route } from './access.ts'
export { bodyBytesMax, jsonDepthMax, jsonKeysMax, sessionDaysMax } from './limits.ts'
export { rateLimits, rateLimitWindowSeconds, type RateLimits } from './rate-limits.ts'
export { operations, type OperationName } from './operations/index.ts'
export { type OperationAnswer, type OperationInput } from './operations/operation-types.ts'
export { type Access, type Operation, type OperationRoute } from './operations/operation.ts'
export { metricSeriesMax, metricsMediaType } from './schemas/metrics.ts'
export { dashboardPages } from './dashboard-pages.ts'
export { agentPermissions, usedPermissions, builtInRoles, permissions, type Permission } from './permissions.ts'
export { problems, type ProblemCode } from './problems.ts'
export { agentImagePattern, AgentManifestQuery, InstallCommands, InstallTemplate } from './schemas/agent-install.ts'
export { AgentToken, AgentTokenList, RotatedAgentToken } from './schemas/agent-tokens.ts'
export {
  Allocation,
  AllocationQuery,
  allocationRowsMax,
  type NamespaceSharing,
  type Sharing,
  type UnpricedPart,
  allocationTrendRows,
  allocationNestedRows,
  type AllocationTrend,
  type AllocationStep,
} from './schemas/allocation.ts'
export { type Changes, type ChangesQuery, changedNodesMax, changeRowsMax } from './schemas/changes.ts'
export {
  alertActions,
  alertRuleIncludes,
  openAlertsShown,
  type Alert,
  type AlertAction,
  type AlertDelivery,
  type AlertList,
  type AlertRule,
  type AlertRuleList,
  type UnsentReason,
} from './schemas/alerts.ts'
export { type AlertRuleName } from './schemas/alert-rule-names.ts'
export { type AllocationComparison } from './schemas/cost-filters.ts'
export { ApiKey, apiKeysPerUserMax, CreatedApiKey } from './schemas/api-keys.ts'
export { AuditEntry, AuditList } from './schemas/audit.ts'
export {
  type Estimate,
  type EstimatedState,
  type EstimatedWorkload,
  type EstimateNote,
  estimateWorkloadsMax,
  type EstimateWorkload,
  type ReplicaSource,
  type WorkloadState,
} from './schemas/estimates.ts'
export {
  type Budget,
  type BudgetHistory,
  type BudgetList,
  type BudgetStates,
  type BudgetPeriod,
  type BudgetPreview,
  budgetPeriods,
  budgetsMax,
  type CostScope,
  type CreateBudgetBody,
  type Forecast,
  type Outlook,
  outlooks,
  type UpdateBudgetBody,
} from './schemas/budgets.ts'
export {
  monthPattern,
  type Statement,
  type StatementList,
  type StatementPart,
  statementSheetsMax,
  type StatementState,
  statementTeamsMax,
} from './schemas/statements.ts'
export { searchKinds, searchLettersMin, searchLimit, type SearchKind, type SearchResults } from './schemas/search.ts'
export { opencostNamesMax } from './schemas/opencost.ts'
export { type View, type ViewList, viewsPerUserMax } from './schemas/views.ts'
export {
  Channel,
  channelsMax,
  CreateChannelBody,
  UpdateChannelBody,
  type ChannelKindName,
  type Delivery,
  type DeliveryError,
  type DeliveryState,
  type MessageEvent,
  type TestResult,
} from './schemas/channels.ts'
export { LoginResult, Me, type OidcFailure, type Session } from './schemas/auth.ts'
export {
  Cluster,
  ClusterList,
  Condition,
  CreatedCluster,
  type ClusterSort,
  type ClusterStatus,
} from './schemas/clusters.ts'
export { futureExample, passwordLengthMax, passwordLengthMin, ProblemBody } from './schemas/common.ts'
export {
  ClusterNode,
  DataQuality,
  NodeList,
  type NodeState,
  NodeVerdict,
  IdleCostsAnswer,
  type PoolScaling,
  WorkloadCost,
  WorkloadList,
  workloadPageSize,
} from './schemas/cluster-contents.ts'
export { type CloudResourceUnpriced, idleCostIncludes, IdleCosts, Summary } from './schemas/costs.ts'
export { ClusterDetail, clusterIncludes } from './schemas/cluster-detail.ts'
export { alsoOpenMax, RecommendationDetail, recommendationIncludes } from './schemas/recommendation-detail.ts'
export { Evidence } from './schemas/evidence.ts'
export { ExplainQuery, Explanation, type Figure, type ExplainedResource } from './schemas/explain.ts'
export { Job, SyncResult, type JobStage } from './schemas/jobs.ts'
export { Overview, costParts, type Mover, type OverviewCluster } from './schemas/overview.ts'
export { Policy, PolicyList, type NodePoolScaling, type PolicySettings } from './schemas/policies.ts'
export { LoadedPriceBook, priceBookBytesMax, priceBookMediaType, PriceBookEntry } from './schemas/price-books.ts'
export {
  CreatePriceOverrideBody,
  PriceOverride,
  PriceOverrideList,
  priceOverridePageSize,
  type PriceOverrideKind,
} from './schemas/price-overrides.ts'
export {
  NodeClassPrice,
  priceIncludes,
  Prices,
  type BillingUnit,
  type PriceKind,
  type StorageClassPrice,
} from './schemas/prices.ts'
export {
  groupIncludes,
  listIncludes,
  ListRecommendationsQuery,
  Preview,
  PreviewBody,
  RecommendationGroups,
  recommendationGroupsMax,
  RecommendationList,
  recommendationPageSize,
  WithheldAdvice,
  WithheldList,
  withheldPageSize,
  type RecommendationGroup,
  type RecommendationGrouping,
  type RecommendationSort,
} from './schemas/recommendation-lists.ts'
export {
  batchIdsMax,
  BatchResult,
  HistoryEntry,
  RecommendationHistory,
  type BatchAction,
  type BatchItem,
} from './schemas/recommendation-moves.ts'
export {
  MovedRecommendation,
  PlanStepReference,
  Recommendation,
  recommendationStatuses,
  RecommendationWithEvidence,
  type ContainerQuantities,
  type Deliverer,
  type Drift,
  type RecommendationAction,
  type RecommendationStatus,
  type RecommendedChange,
  type VerificationDetail,
} from './schemas/recommendations.ts'
export {
  archiveMediaType,
  HelmPath,
  HelmPathList,
  ManifestResult,
  PutHelmPathBody,
  RenderManifestsBody,
} from './schemas/manifests.ts'
export {
  Plan,
  PlanList,
  plannedStepsMax,
  PlanStep,
  PlanSummary,
  stepMembersMax,
  UnsafeNow,
  unsafeShownMax,
  type PlanStepMember,
  type StepAction,
  type StepStatus,
} from './schemas/plans.ts'
export { Role, RoleList, rolePageSize } from './schemas/roles.ts'
export { RuleList } from './schemas/rules.ts'
export {
  teamIncludes,
  teamsShownMax,
  unownedShownMax,
  type CountedTeam,
  type Team,
  type TeamList,
} from './schemas/teams.ts'
export { type CostSharing, type SharingRule, type SharingSettings } from './schemas/cost-sharing.ts'
export { isTeamName, TeamMapping, type TeamRule } from './schemas/team-mapping.ts'
export { appliedStepsMax, regressedShownMax, type StepSavings, type StepSavingsList } from './schemas/step-savings.ts'
export { Savings, savingsIncludes, SavingsQuery, savingsGroupings, type SavingsGrouping } from './schemas/savings.ts'
export { type RoleOfGroup, type SignInRules, type TeamOfGroup } from './schemas/sign-in-rules.ts'
export { SigningKey } from './schemas/signing-keys.ts'
export { CreatedUser, OneTimeLink, User, UserList, userIncludes } from './schemas/users.ts'
export { type DataStatus, type Window, type WindowName } from './schemas/windows.ts'
export {
  type AgentCondition,
  type AgentFacts,
  type Batch,
  type ContainerShape,
  type PodShape,
  type PodTemplate,
} from './payload/batch.ts'
export { BatchReader, type Rejection } from './payload/batch-reader.ts'
export { BatchWriter, type SnapshotPart } from './payload/batch-writer.ts'
export { emptyEvents, emptyMinutes } from './payload/empty-columns.ts'
export { objectKinds, type ClusterObject, type ObjectKind, type ObjectSpec } from './payload/cluster-objects.ts'
export { BatchAccepted, BatchHeaders, batchLimits, payloadSchema } from './payload/envelope.ts'
export { type HourSample, type NodeHour, type UsageFigures, type UsageHour } from './payload/history.ts'
export { matchGroups } from './payload/match-groups.ts'
export { parseBatch } from './payload/parse-batch.ts'
export { isStorable } from './payload/stored-text.ts'
export { unreadableKinds } from './payload/unreadable-kinds.ts'
export { usageBucketEdges, usageBucketOf, usageBuckets } from './payload/usage-buckets.ts'
export type { LabelSelector, PodScheduling, Taint } from './payload/scheduling.ts'
export { addThrottling, type Throttling } from './payload/throttling.ts'
export type {
  BalancerVersion,
  ContainerEvent,
  ContainerSample,
  Labels,
  NamespaceVersion,
  NodeVersion,
  ObjectEnd,
  ObjectVersion,
  PodPhase,
  PodVersion,
  VolumePhase,
  VolumeVersion,
} from './payload/versions.ts'
