import { sessionDaysMax } from '../limits.ts'
import {
  AcceptBody,
  FinishOidcQuery,
  LoginBody,
  LoginResult,
  Me,
  PasswordBody,
  SessionList,
  SignInMethods,
  StartOidcQuery,
} from '../schemas/auth.ts'
import { IfMatch, NoContent } from '../schemas/common.ts'
import { SessionParams } from '../schemas/path-params.ts'
import { PutSignInRulesBody, SignInRules } from '../schemas/sign-in-rules.ts'
import { operation } from './operation.ts'

export const signInOperations = {
  signIn: operation('POST /auth/login', {
    access: 'anonymous',
    tag: 'Authentication',
    summary: 'Sign in',
    body: LoginBody,
    response: { 200: LoginResult },
  }),

  acceptLink: operation('POST /auth/accept', {
    access: 'anonymous',
    tag: 'Authentication',
    summary: 'Use a one-time link: choose a password and sign in',
    body: AcceptBody,
    response: { 200: LoginResult },
  }),

  refreshSession: operation('POST /auth/refresh', {
    access: 'person',
    tag: 'Authentication',
    summary: 'Renew the token',
    description: `A session with a password can be renewed for ${sessionDaysMax} days after the sign-in. A session of the identity provider ends after 24 hours.`,
    response: { 200: LoginResult },
  }),

  signOut: operation('POST /auth/logout', {
    access: 'person',
    tag: 'Authentication',
    summary: 'End this session and all its tokens',
    response: { 204: NoContent },
  }),

  getMe: operation('GET /auth/me', {
    access: 'caller',
    tag: 'Authentication',
    summary: 'Show the current user',
    response: { 200: Me },
  }),

  changePassword: operation('POST /auth/password', {
    access: 'person',
    tag: 'Authentication',
    summary: 'Change your password',
    description: 'Ends all your other sessions. Attempts with a wrong current password count as failed sign-ins.',
    body: PasswordBody,
    response: { 204: NoContent },
  }),

  listSignInMethods: operation('GET /auth/methods', {
    access: 'anonymous',
    tag: 'Authentication',
    summary: 'Show how users can sign in',
    isRedirect: true,
    response: { 200: SignInMethods },
  }),

  startOidc: operation('GET /auth/oidc/start', {
    access: 'anonymous',
    tag: 'Authentication',
    summary: 'Sign in with the identity provider',
    isRedirect: true,
    description: 'For browsers: redirects to the identity provider.',
    query: StartOidcQuery,
  }),

  finishOidc: operation('GET /auth/oidc/callback', {
    access: 'anonymous',
    tag: 'Authentication',
    summary: 'Complete the sign-in with the identity provider',
    isRedirect: true,
    description:
      'The identity provider redirects here. Opens a session with a cookie and redirects to the dashboard. A failed sign-in redirects to the sign-in page with `failure` in the address.',
    query: FinishOidcQuery,
  }),

  listSessions: operation('GET /auth/sessions', {
    access: 'person',
    tag: 'Authentication',
    summary: 'List your sessions',
    response: { 200: SessionList },
  }),

  endSession: operation('DELETE /auth/sessions/:session_id', {
    access: 'person',
    tag: 'Authentication',
    summary: 'End one of your sessions',
    params: SessionParams,
    response: { 204: NoContent },
  }),

  getSignInRules: operation('GET /api/v1/sign-in-rules', {
    access: 'settings:read',
    tag: 'Users',
    summary: 'Show the roles and teams of groups',
    description: 'The rules apply to users who sign in with the identity provider.',
    response: { 200: SignInRules },
  }),

  setSignInRules: operation('PUT /api/v1/sign-in-rules', {
    access: 'settings:write',
    tag: 'Users',
    summary: 'Replace the roles and teams of groups',
    description: 'The rules apply at the next sign-in. Open sessions keep their role for up to 24 hours.',
    headers: IfMatch,
    body: PutSignInRulesBody,
    response: { 200: SignInRules },
  }),
}
