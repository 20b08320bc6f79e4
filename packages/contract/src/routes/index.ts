import type { OperationName, Operations } from '../operations/index.ts'
import type { OperationRoute } from '../operations/operation.ts'

/**
 * Method and path of every operation, separate from the schemas: the client needs only these at runtime, and the
 * dashboard must not load the schemas. The compiler compares each line with its operation.
 */
export const routes = {
  signIn: 'POST /auth/login',
  acceptLink: 'POST /auth/accept',
  refreshSession: 'POST /auth/refresh',
  signOut: 'POST /auth/logout',
  getMe: 'GET /auth/me',
  changePassword: 'POST /auth/password',
  listClusters: 'GET /api/v1/clusters',
  createCluster: 'POST /api/v1/clusters',
  getCluster: 'GET /api/v1/clusters/:cluster_id',
  updateCluster: 'PATCH /api/v1/clusters/:cluster_id',
  deleteCluster: 'DELETE /api/v1/clusters/:cluster_id',
  syncCluster: 'POST /api/v1/clusters/:cluster_id/sync',
  getJob: 'GET /api/v1/jobs/:job_id',
  listAgentTokens: 'GET /api/v1/clusters/:cluster_id/agent-tokens',
  rotateAgentToken: 'POST /api/v1/clusters/:cluster_id/agent-tokens',
  revokeAgentToken: 'DELETE /api/v1/clusters/:cluster_id/agent-tokens/:token_id',
  getAgentManifest: 'GET /api/v1/clusters/:cluster_id/agent-manifest',
  getInstallCommands: 'GET /api/v1/clusters/:cluster_id/install',
  submitMetrics: 'POST /api/v1/agent/metrics',
  getAllocation: 'GET /api/v1/allocation',
  getChanges: 'GET /api/v1/changes',
  listNodes: 'GET /api/v1/clusters/:cluster_id/nodes',
  listWorkloads: 'GET /api/v1/clusters/:cluster_id/workloads',
  getDataQuality: 'GET /api/v1/clusters/:cluster_id/data-quality',
  explainCost: 'GET /api/v1/clusters/:cluster_id/explain',
  getIdleCosts: 'GET /api/v1/idle-costs',
  getClusterSummary: 'GET /api/v1/clusters/:cluster_id/summary',
  getOverview: 'GET /api/v1/overview',
  listHelmPaths: 'GET /api/v1/gitops/helm-paths',
  setHelmPath: 'PUT /api/v1/gitops/helm-paths',
  renderManifests: 'POST /api/v1/gitops/manifests',
  groupRecommendations: 'GET /api/v1/recommendations/groups',
  approveRecommendation: 'POST /api/v1/recommendations/:id/approve',
  rejectRecommendation: 'POST /api/v1/recommendations/:id/reject',
  applyRecommendation: 'POST /api/v1/recommendations/:id/apply',
  reopenRecommendation: 'POST /api/v1/recommendations/:id/reopen',
  withdrawRecommendation: 'POST /api/v1/recommendations/:id/withdraw',
  snoozeRecommendation: 'POST /api/v1/recommendations/:id/snooze',
  moveRecommendations: 'POST /api/v1/recommendations/batch',
  previewSavings: 'POST /api/v1/recommendations/preview',
  listRecommendations: 'GET /api/v1/recommendations',
  getRecommendation: 'GET /api/v1/recommendations/:id',
  getRecommendationHistory: 'GET /api/v1/recommendations/:id/history',
  listRules: 'GET /api/v1/rules',
  getSavings: 'GET /api/v1/savings',
  listWithheld: 'GET /api/v1/recommendations/withheld',
  listPolicies: 'GET /api/v1/policies',
  setPolicy: 'PUT /api/v1/policies',
  getPlan: 'GET /api/v1/clusters/:cluster_id/plan',
  listPlans: 'GET /api/v1/plans',
  approvePlanStep: 'POST /api/v1/clusters/:cluster_id/plan/steps/:step_id/approve',
  rejectPlanStep: 'POST /api/v1/clusters/:cluster_id/plan/steps/:step_id/reject',
  withdrawPlanStep: 'POST /api/v1/clusters/:cluster_id/plan/steps/:step_id/withdraw',
  listPriceBooks: 'GET /api/v1/price-books',
  loadPriceBook: 'POST /api/v1/price-books',
  listPriceOverrides: 'GET /api/v1/price-overrides',
  createPriceOverride: 'POST /api/v1/price-overrides',
  endPriceOverride: 'DELETE /api/v1/price-overrides/:override_id',
  getPrices: 'GET /api/v1/prices',
  listUsers: 'GET /api/v1/users',
  createUser: 'POST /api/v1/users',
  getUser: 'GET /api/v1/users/:user_id',
  updateUser: 'PATCH /api/v1/users/:user_id',
  deleteUser: 'DELETE /api/v1/users/:user_id',
  createUserLink: 'POST /api/v1/users/:user_id/link',
  listRoles: 'GET /api/v1/roles',
  createRole: 'POST /api/v1/roles',
  getRole: 'GET /api/v1/roles/:role',
  updateRole: 'PATCH /api/v1/roles/:role',
  deleteRole: 'DELETE /api/v1/roles/:role',
  listApiKeys: 'GET /api/v1/api-keys',
  createApiKey: 'POST /api/v1/api-keys',
  revokeApiKey: 'DELETE /api/v1/api-keys/:key_id',
  getTeamMapping: 'GET /api/v1/team-mapping',
  setTeamMapping: 'PUT /api/v1/team-mapping',
  listSigningKeys: 'GET /api/v1/signing-keys',
  rotateSigningKey: 'POST /api/v1/signing-keys',
  listAlerts: 'GET /api/v1/alerts',
  getAlert: 'GET /api/v1/alerts/:alert_id',
  acknowledgeAlert: 'POST /api/v1/alerts/:alert_id/acknowledge',
  snoozeAlert: 'POST /api/v1/alerts/:alert_id/snooze',
  acceptAlert: 'POST /api/v1/alerts/:alert_id/accept',
  listAlertRules: 'GET /api/v1/alert-rules',
  updateAlertRule: 'PATCH /api/v1/alert-rules/:rule',
  setAlertDelivery: 'PUT /api/v1/alert-delivery',
  listChannels: 'GET /api/v1/channels',
  createChannel: 'POST /api/v1/channels',
  getChannel: 'GET /api/v1/channels/:channel_id',
  updateChannel: 'PATCH /api/v1/channels/:channel_id',
  deleteChannel: 'DELETE /api/v1/channels/:channel_id',
  testChannel: 'POST /api/v1/channels/:channel_id/test',
  listDeliveries: 'GET /api/v1/channels/:channel_id/deliveries',
  redeliver: 'POST /api/v1/channels/:channel_id/redeliver',
  listAuditEntries: 'GET /api/v1/audit',
} as const satisfies { [Name in OperationName]: Operations[Name]['route'] }

type PathParam<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | PathParam<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never

/** Inserts ids into the path of a route. */
export function pathOf<Route extends OperationRoute>(
  route: Route,
  params: Readonly<Record<PathParam<Route>, string>>,
): string {
  const values: Readonly<Record<string, string>> = params
  const path = route.slice(route.indexOf(' ') + 1)
  return path.replaceAll(/:(\w+)/g, (_all, name: string) => encodeURIComponent(values[name] ?? ''))
}
