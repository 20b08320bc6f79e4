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
