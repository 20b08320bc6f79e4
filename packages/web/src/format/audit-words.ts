import type { AuditAction } from '@plimsoll/contract'

/** What somebody did, as people say it. A new action is missing here until somebody names it. */
export const actionWords: Record<AuditAction, string> = {
  'agent_token.revoke': 'revoked an agent token',
  'agent_token.rotate': 'made a new agent token',
  'api_key.create': 'made an API token',
  'api_key.revoke': 'revoked an API token',
  'cluster.create': 'connected a cluster',
  'cluster.delete': 'removed a cluster',
  'cluster.sync': 'asked for a sync',
  'cluster.update': 'changed a cluster',
  'helm_path.set': 'set a Helm path',
  'policy.set': 'set a policy',
  'price_book.load': 'loaded a price book',
  'price_override.create': 'set a price or discount',
  'price_override.end': 'ended a price or discount',
  'recommendation.apply': 'marked as implemented',
  'recommendation.approve': 'approved',
  'recommendation.reject': 'rejected',
  'recommendation.reopen': 'reopened',
  'recommendation.snooze': 'snoozed',
  'role.create': 'made a role',
  'role.delete': 'removed a role',
  'role.update': 'changed a role',
  'session.create': 'signed in',
  'session.delete': 'signed out',
  'team_mapping.replace': 'replaced the team mapping',
  'signing_key.rotate': 'replaced the signing key',
  'user.accept_link': 'chose a password by link',
  'user.change_password': 'changed their password',
  'user.create': 'added a user',
  'user.delete': 'removed a user',
  'user.fail_login': 'failed to sign in',
  'user.make_link': 'made a link for a password',
  'user.update': 'changed a user',
}

/** An action that is newer than these words reads as its id does. */
export const wordsOfAction = (action: string) =>
  (actionWords as Record<string, string>)[action] ?? action.replaceAll(/[._]/g, ' ')
