const viewer = ['clusters:read', 'recommendations:read', 'budgets:read', 'alerts:read', 'reports:read'] as const

const editor = [
  ...viewer,
  'clusters:write',
  'clusters:delete',
  'recommendations:write',
  'recommendations:apply',
  'budgets:write',
  'budgets:delete',
  'alerts:write',
  'alerts:delete',
  'reports:write',
  'reports:delete',
  'settings:read',
] as const

const admin = [
  ...editor,
  'billing:read',
  'billing:write',
  'users:read',
  'users:write',
  'users:delete',
  'roles:read',
  'roles:write',
  'settings:write',
  'webhooks:read',
  'webhooks:write',
  'api_keys:read',
  'api_keys:write',
  'clusters:token',
  'audit:read',
] as const

/** The permissions of users: an explicit list without wildcards. No permission implies another. */
export const permissions = admin

export type Permission = (typeof permissions)[number] | 'metrics:submit'

export const builtInRoles: Record<'admin' | 'editor' | 'viewer', readonly Permission[]> = { admin, editor, viewer }

/** An agent token may only submit the metrics of its own cluster. */
export const agentPermissions: readonly Permission[] = ['metrics:submit']

/**
 * Permissions of planned features: roles may hold them, but no operation requires them. A test compares this list with
 * the operations.
 */
const unusedPermissions: readonly Permission[] = ['alerts:delete', 'reports:delete', 'reports:write']

/** Permissions that at least one operation requires. Only these are offered for roles and API keys. */
export const usedPermissions: readonly Permission[] = permissions
  .filter((each) => !unusedPermissions.includes(each))
  .sort()

/** For API descriptions: the permissions that have no effect yet. */
export const notAskedYet = `Not used by any operation yet: ${unusedPermissions.join(', ')}`
