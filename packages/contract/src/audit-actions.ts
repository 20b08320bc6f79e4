/** All audit actions, `resource.verb`, with their meaning. */
export const auditActions = {
  'agent_token.revoke': 'An agent token was revoked',
  'agent_token.rotate': 'An agent token was rotated',
  'api_key.create': 'An API key was created',
  'api_key.revoke': 'An API key was revoked',
  'cluster.create': 'A cluster was connected',
  'cluster.delete': 'A cluster and its data were deleted',
  'cluster.sync': 'A recalculation was requested',
  'cluster.update': 'A cluster was renamed, or its provider or region corrected',
  'helm_path.set': 'The Helm values path of a workload was set',
  'plan_step.approve': 'The recommendations of a plan step were approved',
  'plan_step.reject': 'The recommendations of a plan step were rejected',
  'plan_step.withdraw': 'The approvals of a plan step were withdrawn',
  'policy.set': 'The recommendation policy of a cluster or a namespace was set',
  'price_book.load': 'A price list was loaded',
  'price_override.create': 'A price override was created',
  'price_override.end': 'A price override was ended',
  'recommendation.apply': 'A recommendation was marked as implemented',
  'recommendation.approve': 'A recommendation was approved',
  'recommendation.reject': 'A recommendation was rejected',
  'recommendation.reopen': 'A rejected recommendation was reopened',
  'recommendation.snooze': 'A recommendation was snoozed',
  'recommendation.withdraw': 'An approval or the status implemented was withdrawn',
  'role.create': 'A custom role was created',
  'role.delete': 'A custom role was deleted',
  'role.update': 'A custom role was changed',
  'session.create': 'A user signed in',
  'session.delete': 'A user signed out',
  'team_mapping.replace': 'The team mapping was replaced',
  'signing_key.rotate': 'The token signing key was rotated',
  'user.accept_link': 'A user set a password with a one-time link',
  'user.change_password': 'A user changed their password',
  'user.create': 'A user was created',
  'user.delete': 'A user was deleted with their API keys and sessions',
  'user.fail_login':
    'A sign-in failed. Per account and IP address, the log records the first failure in 15 minutes and the failure that triggers throttling (at most 500 entries)',
  'user.make_link': 'A one-time password link was created',
  'user.update': 'The role of a user changed, or the user was disabled or enabled',
} as const

export type AuditAction = keyof typeof auditActions

/** Object types of audit entries. */
export const auditTargetTypes = [
  'agent_token',
  'api_key',
  'cluster',
  'helm_path',
  'plan_step',
  'policy',
  'price_book',
  'price_override',
  'recommendation',
  'role',
  'session',
  'signing_key',
  'team_mapping',
  'user',
] as const

export type AuditTargetType = (typeof auditTargetTypes)[number]
