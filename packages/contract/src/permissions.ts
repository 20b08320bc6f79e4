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

/** What people can hold: an explicit list, no wildcards, and no permission implies another. */
export const permissions = admin

export type Permission = (typeof permissions)[number] | 'metrics:submit'

export const builtInRoles: Record<'admin' | 'editor' | 'viewer', readonly Permission[]> = { admin, editor, viewer }

/** An agent token may submit the metrics of its own cluster and nothing else. */
export const agentPermissions: readonly Permission[] = ['metrics:submit']

/** Of features that do not exist yet: roles may hold them, and no operation asks for them. A test compares this list with the operations. */
const unusedPermissions: readonly Permission[] = [
  'alerts:delete',
  'alerts:read',
  'alerts:write',
  'budgets:delete',
  'budgets:read',
  'budgets:write',
  'reports:delete',
  'reports:write',
  'webhooks:read',
  'webhooks:write',
]

/** What at least one operation asks for: whoever hands out permissions need not think about the others. */
export const askedPermissions: readonly Permission[] = permissions
  .filter((each) => !unusedPermissions.includes(each))
  .sort()

/** For those who hand them out: they may be held already, and nothing can be done with them today. */
export const notAskedYet = `Not used by any operation yet: ${unusedPermissions.join(', ')}`
