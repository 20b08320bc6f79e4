import type { OidcFailure } from '@plimsoll/contract'

/** Why a sign-in with the identity provider failed. */
export const signInFailures: Record<OidcFailure, string> = {
  cancelled: 'The sign-in was cancelled.',
  disabled: 'Your account is disabled. Ask an admin to enable it.',
  email_taken: 'Another account has your e-mail address. Ask an admin to delete that account.',
  expired: 'The sign-in took too long, or this browser blocks cookies. Try again.',
  failed: 'The identity provider did not complete the sign-in. Try again. The service log has the reason.',
  no_access: 'None of your groups has access. Ask an admin to add a group in Settings → Sign-in.',
  no_email: 'The identity provider sent no e-mail address. An admin must add the claim “email” to the client.',
  too_many_groups:
    'You are in too many groups, so the identity provider sent no groups. Ask an admin to use app roles instead.',
  too_many_requests: 'There were too many sign-ins from your network in the last minute. Try again in a minute.',
  unreachable: 'The identity provider is not reachable from the service. The service log has the reason.',
}
