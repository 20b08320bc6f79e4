/** Everything that is recorded: `resource.verb`, and what it says. */
export const auditActions = {
  'agent_token.revoke': 'An agent token was ended at once',
  'agent_token.rotate': 'A new agent token was made',
  'api_key.create': 'An API key was made',
  'api_key.revoke': 'An API key was ended',
  'cluster.create': 'A cluster was connected',
  'cluster.delete': 'A cluster and its data were removed',
  'cluster.sync': 'A new calculation was asked for',
  'cluster.update': 'A cluster was renamed, or its provider or region corrected',
  'helm_path.set': 'Where a workload’s resources are in the values of its Helm chart was said',
  'policy.set': 'How careful recommendations have to be was set for a cluster or a namespace',
  'price_book.load': 'A price book came into use',
  'price_override.create': 'A price, a discount or rates were set',
  'price_override.end': 'A price, a discount or rates ceased to hold',
  'recommendation.apply': 'A recommendation was marked as implemented',
  'recommendation.approve': 'A recommendation was approved',
  'recommendation.reject': 'A recommendation was rejected',
  'recommendation.reopen': 'A rejection was taken back',
  'recommendation.snooze': 'A recommendation was hidden for a while',
  'role.create': 'A custom role was made',
  'role.delete': 'A custom role was removed',
  'role.update': 'A custom role was changed',
  'session.create': 'Somebody signed in',
  'session.delete': 'Somebody logged out',
  'team_mapping.replace': 'The rules that say what belongs to which team were replaced',
  'signing_key.rotate': 'The key that signs tokens was replaced',
  'user.accept_link': 'An invited user, or one with a forgotten password, chose a new one',
  'user.change_password': 'Somebody changed their own password',
  'user.create': 'A user was added',
  'user.delete': 'A user was removed with their keys and sessions',
  'user.fail_login':
    'A log-in failed: the first of a quarter of an hour per account and address, and the one that shuts it; 500 in all',
  'user.make_link': 'A one-time link was made for a new password',
  'user.update': 'A user got another role, was disabled or enabled',
} as const

export type AuditAction = keyof typeof auditActions

/** What an entry can be about. */
export const auditTargetTypes = [
  'agent_token',
  'api_key',
  'cluster',
  'helm_path',
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
