import { permissions, type Permission } from './permissions.ts'

/**
 * Who may call a route:
 * `probe` anyone, without being counted · `free` anyone, counted per address with a generous limit for pages and files ·
 * `anonymous` anyone, counted against the address or, for log-in, its own bucket ·
 * `person` anyone signed in · `caller` anyone signed in or with an API key · else whoever holds the permission.
 */
export type Access = 'probe' | 'free' | 'anonymous' | 'person' | 'caller' | Permission

/** Every route of the service. One that is not listed here stops the server from starting. */
export const routeAccess = {
  'GET /healthz': 'probe',
  'GET /readyz': 'probe',
  'GET /metrics': 'probe',
  'GET /openapi.json': 'free',
  'GET /docs': 'free',
  'GET /docs/': 'free',
  'GET /': 'free',
  'GET /welcome': 'free',
  'GET /sign-in': 'free',
  'GET /recommendations': 'free',
  'GET /recommendations/:id': 'free',
  'GET /allocation': 'free',
  'GET /efficiency': 'free',
  'GET /nodes': 'free',
  'GET /savings': 'free',
  'GET /clusters': 'free',
  'GET /clusters/new': 'free',
  'GET /clusters/:cluster_id': 'free',
  'GET /settings': 'free',
  'GET /settings/:section': 'free',
  'GET /assets/:file': 'free',
  'GET /favicon.ico': 'free',
  'GET /install/agent.yaml': 'free',
  'GET /install/plimsoll-agent.tgz': 'free',

  'POST /auth/login': 'anonymous',
  'POST /auth/accept': 'anonymous',
  'POST /auth/refresh': 'person',
  'POST /auth/logout': 'person',
  'GET /auth/me': 'caller',
  'POST /auth/password': 'person',

  'GET /api/v1/clusters': 'clusters:read',
  'POST /api/v1/clusters': 'clusters:write',
  'GET /api/v1/clusters/:cluster_id': 'clusters:read',
  'PATCH /api/v1/clusters/:cluster_id': 'clusters:write',
  'DELETE /api/v1/clusters/:cluster_id': 'clusters:delete',
  'GET /api/v1/clusters/:cluster_id/agent-manifest': 'clusters:read',
  'GET /api/v1/clusters/:cluster_id/install': 'clusters:read',
  'GET /api/v1/clusters/:cluster_id/agent-tokens': 'clusters:token',
  'POST /api/v1/clusters/:cluster_id/agent-tokens': 'clusters:token',
  'DELETE /api/v1/clusters/:cluster_id/agent-tokens/:token_id': 'clusters:token',

  'GET /api/v1/clusters/:cluster_id/summary': 'clusters:read',
  'GET /api/v1/clusters/:cluster_id/nodes': 'clusters:read',
  'GET /api/v1/clusters/:cluster_id/workloads': 'clusters:read',
  'GET /api/v1/clusters/:cluster_id/data-quality': 'clusters:read',
  'GET /api/v1/clusters/:cluster_id/explain': 'clusters:read',
  'POST /api/v1/clusters/:cluster_id/sync': 'clusters:write',
  'GET /api/v1/overview': 'clusters:read',
  'GET /api/v1/allocation': 'reports:read',
  'GET /api/v1/idle-costs': 'clusters:read',
  'GET /api/v1/jobs/:job_id': 'clusters:read',

  'GET /api/v1/recommendations': 'recommendations:read',
  'GET /api/v1/recommendations/groups': 'recommendations:read',
  'GET /api/v1/recommendations/withheld': 'recommendations:read',
  'GET /api/v1/recommendations/:id': 'recommendations:read',
  'GET /api/v1/recommendations/:id/history': 'recommendations:read',
  'POST /api/v1/recommendations/:id/approve': 'recommendations:write',
  'POST /api/v1/recommendations/:id/reject': 'recommendations:write',
  'POST /api/v1/recommendations/:id/apply': 'recommendations:apply',
  'POST /api/v1/recommendations/:id/reopen': 'recommendations:write',
  'POST /api/v1/recommendations/:id/snooze': 'recommendations:write',
  'POST /api/v1/recommendations/batch': 'recommendations:write',
  'POST /api/v1/recommendations/preview': 'recommendations:read',
  'POST /api/v1/gitops/manifests': 'recommendations:read',
  'GET /api/v1/gitops/helm-paths': 'recommendations:read',
  'PUT /api/v1/gitops/helm-paths': 'recommendations:write',
  'GET /api/v1/rules': 'recommendations:read',
  'GET /api/v1/savings': 'recommendations:read',
  'GET /api/v1/policies': 'settings:read',
  'PUT /api/v1/policies': 'settings:write',

  'POST /api/v1/agent/metrics': 'metrics:submit',

  'GET /api/v1/prices': 'billing:read',
  'GET /api/v1/price-overrides': 'billing:read',
  'POST /api/v1/price-overrides': 'billing:write',
  'DELETE /api/v1/price-overrides/:override_id': 'billing:write',
  'GET /api/v1/price-books': 'billing:read',
  'POST /api/v1/price-books': 'billing:write',

  'GET /api/v1/users': 'users:read',
  'POST /api/v1/users': 'users:write',
  'GET /api/v1/users/:user_id': 'users:read',
  'PATCH /api/v1/users/:user_id': 'users:write',
  'DELETE /api/v1/users/:user_id': 'users:delete',
  'POST /api/v1/users/:user_id/link': 'users:write',

  'GET /api/v1/roles': 'roles:read',
  'POST /api/v1/roles': 'roles:write',
  'GET /api/v1/roles/:role': 'roles:read',
  'PATCH /api/v1/roles/:role': 'roles:write',
  'DELETE /api/v1/roles/:role': 'roles:write',

  'GET /api/v1/api-keys': 'caller',
  'POST /api/v1/api-keys': 'person',
  'DELETE /api/v1/api-keys/:key_id': 'person',

  'GET /api/v1/team-mapping': 'settings:read',
  'PUT /api/v1/team-mapping': 'settings:write',

  'GET /api/v1/signing-keys': 'settings:read',
  'POST /api/v1/signing-keys': 'settings:write',

  'GET /api/v1/audit': 'audit:read',
} as const satisfies Record<string, Access>

export type Route = keyof typeof routeAccess

/** Whether a route asks for no credential. */
export const isOpenToAnyone = (access: Access | undefined): access is 'probe' | 'free' | 'anonymous' =>
  access === 'probe' || access === 'free' || access === 'anonymous'

/** Anybody has API keys of their own; those of others ask for these. */
const askedWithinRoutes: readonly Permission[] = ['api_keys:read', 'api_keys:write']

/** Some permissions exist for what is still to come: whoever hands out permissions need not think about those. */
export const askedPermissions: readonly Permission[] = permissions
  .filter((each) => askedWithinRoutes.includes(each) || Object.values<string>(routeAccess).includes(each))
  .sort()

const notYet = permissions.filter((each) => !askedPermissions.includes(each)).sort()

/** For those who hand them out: they may be held already, and nothing can be done with them today. */
export const notAskedYet = `Not asked for by any route yet, so that nothing comes of them: ${notYet.join(', ')}`
