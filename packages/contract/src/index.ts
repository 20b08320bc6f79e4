export { auditActions, auditTargetTypes, type AuditAction, type AuditTargetType } from './audit-actions.ts'
export { isOpenToAnyone, pageAccess, routeAccess, type PageRoute, type Route } from './access.ts'
export {
  bodyBytesMax,
  jsonDepthMax,
  jsonKeysMax,
  rateLimits,
  rateLimitWindowSeconds,
  sessionDaysMax,
  type RateLimits,
} from './limits.ts'
export { operations, type OperationName, type Operations } from './operations/index.ts'
export { type Access, type Operation, type OperationRoute } from './operations/operation.ts'
export { agentPermissions, askedPermissions, builtInRoles, permissions, type Permission } from './permissions.ts'
export { problems, type ProblemCode } from './problems.ts'
export { agentImagePattern, AgentManifestQuery, InstallCommands, InstallTemplate } from './schemas/agent-install.ts'
export {
  AgentToken,
  AgentTokenList,
  ListAgentTokensQuery,
  RotateAgentTokenBody,
  RotatedAgentToken,
} from './schemas/agent-tokens.ts'
export {
  Allocation,
  AllocationQuery,
  allocationRowsMax,
  type NamespaceSharing,
  type Sharing,
  type UnpricedPart,
  allocationTrendRows,
  type AllocationTrend,
} from './schemas/allocation.ts'
export {
  ApiKey,
  ApiKeyList,
  apiKeysPerUserMax,
  CreateApiKeyBody,
  CreatedApiKey,
  ListApiKeysQuery,
} from './schemas/api-keys.ts'
export { AuditEntry, AuditList, ListAuditQuery } from './schemas/audit.ts'
export { AcceptBody, LoginBody, LoginResult, Me, PasswordBody } from './schemas/auth.ts'
export {
  Cluster,
  ClusterList,
  Condition,
  CreateClusterBody,
  CreatedCluster,
  ListClustersQuery,
  UpdateClusterBody,
  type ClusterStatus,
} from './schemas/clusters.ts'
export { passwordLengthMax, passwordLengthMin, ProblemBody } from './schemas/common.ts'
export {
  ClusterNode,
  DataQuality,
  ListNodesQuery,
  ListWorkloadsQuery,
  NodeList,
  NodeVerdict,
  IdleCostsAnswer,
  type PoolScaling,
  WorkloadCost,
  WorkloadList,
  workloadPageSize,
} from './schemas/cluster-contents.ts'
export {
  type AssetUnpriced,
  idleCostIncludes,
  IdleCosts,
  IdleCostsQuery,
  Summary,
  WindowQuery,
} from './schemas/costs.ts'
export { ClusterDetail, clusterIncludes, ClusterQuery } from './schemas/cluster-detail.ts'
export {
  alsoOpenMax,
  RecommendationDetail,
  recommendationIncludes,
  RecommendationQuery,
} from './schemas/recommendation-detail.ts'
export { Evidence, levelNames, type LevelName } from './schemas/evidence.ts'
export { ExplainQuery, Explanation, type Figure, type ExplainedResource } from './schemas/explain.ts'
export { Job, SyncResult, type JobStage } from './schemas/jobs.ts'
export { Overview, OverviewQuery, costParts, type Mover, type OverviewCluster } from './schemas/overview.ts'
export {
  ListPoliciesQuery,
  Policy,
  PolicyList,
  PutPolicyBody,
  type DialName,
  type NodePoolScaling,
  type PolicySettings,
  type PoolAnswer,
} from './schemas/policies.ts'
export {
  LoadedPriceBook,
  priceBookBytesMax,
  priceBookMediaType,
  PriceBookEntry,
  PriceBookList,
} from './schemas/price-books.ts'
export {
  CreatePriceOverrideBody,
  EndPriceOverrideQuery,
  ListPriceOverridesQuery,
  PriceOverride,
  PriceOverrideList,
  priceOverridePageSize,
  type PriceOverrideKind,
} from './schemas/price-overrides.ts'
export {
  NodeClassPrice,
  priceIncludes,
  Prices,
  PricesQuery,
  type PriceKind,
  type StorageClassPrice,
} from './schemas/prices.ts'
export {
  GroupRecommendationsQuery,
  groupIncludes,
  listIncludes,
  ListRecommendationsQuery,
  ListWithheldQuery,
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
  BatchBody,
  BatchResult,
  HistoryEntry,
  MoveBody,
  RecommendationHistory,
  SnoozeBody,
  type BatchItem,
} from './schemas/recommendation-moves.ts'
export {
  MovedRecommendation,
  Recommendation,
  recommendationCategories,
  changeActions,
  recommendationStatuses,
  RecommendationWithEvidence,
  severityNames,
  verificationStates,
  type ContainerQuantities,
  type Deliverer,
  type Drift,
  type RecommendationAction,
  type RecommendationCategory,
  type RecommendationStatus,
  type RecommendedChange,
  type SeverityName,
  type VerificationDetail,
  type VerificationState,
} from './schemas/recommendations.ts'
export {
  archiveMediaType,
  HelmPath,
  HelmPathList,
  ListHelmPathsQuery,
  manifestFormats,
  ManifestResult,
  PutHelmPathBody,
  RenderManifestsBody,
  RenderManifestsQuery,
  type ManifestFormatName,
} from './schemas/manifests.ts'
export { CreateRoleBody, Role, RoleList, ListRolesQuery, rolePageSize, UpdateRoleBody } from './schemas/roles.ts'
export { RuleList } from './schemas/rules.ts'
export { PutTeamMappingBody, TeamMapping, type TeamRule } from './schemas/team-mapping.ts'
export { Savings, savingsIncludes, SavingsQuery, savingsGroupings, type SavingsGrouping } from './schemas/savings.ts'
export { RotateSigningKeyBody, SigningKey, SigningKeyList, ListSigningKeysQuery } from './schemas/signing-keys.ts'
export {
  CreatedUser,
  CreateUserBody,
  ListUsersQuery,
  OneTimeLink,
  UpdateUserBody,
  User,
  UserList,
  userIncludes,
} from './schemas/users.ts'
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
