import type { AuditAction } from '@plimsoll/contract'

/** The text of each audit action. The type requires an entry for every action of the contract. */
export const actionLabels: Record<AuditAction, string> = {
  'agent_token.revoke': 'revoked an agent token',
  'agent_token.rotate': 'created an agent token',
  'api_key.create': 'created an API token',
  'api_key.revoke': 'revoked an API token',
  'cluster.create': 'connected a cluster',
  'cluster.delete': 'removed a cluster',
  'cluster.sync': 'started a sync',
  'cluster.update': 'changed a cluster',
  'helm_path.set': 'set a Helm path',
  'plan_step.approve': 'approved a plan step',
  'plan_step.reject': 'rejected a plan step',
  'plan_step.withdraw': 'withdrew the approval of a plan step',
  'policy.set': 'set a policy',
  'price_book.load': 'loaded a price list',
  'price_override.create': 'added a price override',
  'price_override.end': 'ended a price override',
  'recommendation.apply': 'marked a recommendation as implemented',
  'recommendation.approve': 'approved a recommendation',
  'recommendation.reject': 'rejected a recommendation',
  'recommendation.reopen': 'reopened a recommendation',
  'recommendation.snooze': 'snoozed a recommendation',
  'recommendation.withdraw': 'withdrew the approval of a recommendation',
  'role.create': 'created a role',
  'role.delete': 'deleted a role',
  'role.update': 'changed a role',
  'session.create': 'signed in',
  'session.delete': 'signed out',
  'team_mapping.replace': 'replaced the team mapping',
  'signing_key.rotate': 'rotated the signing key',
  'user.accept_link': 'set a password with a one-time link',
  'user.change_password': 'changed the password',
  'user.create': 'added a user',
  'user.delete': 'deleted a user',
  'user.fail_login': 'failed to sign in',
  'user.make_link': 'created a one-time link',
  'user.update': 'changed a user',
}

/** An unknown action is shown as its id. */
export const labelOfAction = (action: string) =>
  (actionLabels as Record<string, string>)[action] ?? action.replaceAll(/[._]/g, ' ')
