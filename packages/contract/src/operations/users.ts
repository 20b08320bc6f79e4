import { IfMatch, NoContent } from '../schemas/common.ts'
import { UserParams } from '../schemas/path-params.ts'
import {
  CreateUserBody,
  CreatedUser,
  ListUsersQuery,
  OneTimeLink,
  UpdateUserBody,
  User,
  UserList,
} from '../schemas/users.ts'
import { operation } from './operation.ts'

export const userOperations = {
  listUsers: operation('GET /api/v1/users', {
    access: 'users:read',
    tag: 'Users',
    summary: 'List users',
    query: ListUsersQuery,
    response: { 200: UserList },
  }),

  createUser: operation('POST /api/v1/users', {
    access: 'users:write',
    tag: 'Users',
    summary: 'Add a user',
    description:
      'With an initial password, or without one and with a one-time link for them in the answer. An API key may set no ' +
      'password and gets no link: somebody who is signed in makes the link with POST /api/v1/users/{user_id}/link.',
    body: CreateUserBody,
    response: { 201: CreatedUser },
  }),

  getUser: operation('GET /api/v1/users/:user_id', {
    access: 'users:read',
    tag: 'Users',
    summary: 'Show a user',
    params: UserParams,
    response: { 200: User, 304: NoContent },
  }),

  updateUser: operation('PATCH /api/v1/users/:user_id', {
    access: 'users:write',
    tag: 'Users',
    summary: 'Change role, disable or enable',
    params: UserParams,
    headers: IfMatch,
    body: UpdateUserBody,
    response: { 200: User },
  }),

  deleteUser: operation('DELETE /api/v1/users/:user_id', {
    access: 'users:delete',
    tag: 'Users',
    summary: 'Delete a user with their keys and sessions',
    params: UserParams,
    headers: IfMatch,
    response: { 204: NoContent },
  }),

  createUserLink: operation('POST /api/v1/users/:user_id/link', {
    access: 'users:write',
    tag: 'Users',
    summary: 'Make a one-time link for a new password',
    description:
      'For an invitation that was lost or a password that somebody else has forgotten. Ends the link before. ' +
      'Not for API keys, and not for yourself: your own password changes with POST /auth/password.',
    params: UserParams,
    headers: IfMatch,
    response: { 201: OneTimeLink },
  }),
}
