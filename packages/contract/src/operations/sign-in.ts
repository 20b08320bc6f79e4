import { sessionDaysMax } from '../limits.ts'
import { AcceptBody, LoginBody, LoginResult, Me, PasswordBody } from '../schemas/auth.ts'
import { NoContent } from '../schemas/common.ts'
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
    description: `A session can be renewed for ${sessionDaysMax} days after the sign-in. After that, sign in again.`,
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
}
