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
    summary: 'Create a user',
    description:
      'Set an initial password, or omit it to get a one-time link for the user. An API key cannot set a ' +
      'password and gets no link: a signed-in user creates the link with POST /api/v1/users/{user_id}/link.',
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
    summary: 'Change, disable or enable a user',
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
    summary: 'Create a one-time password link',
    description:
      'For a lost invitation or a forgotten password. Invalidates the previous link. ' +
      'API keys cannot call this operation. You cannot create a link for yourself; use POST /auth/password.',
    params: UserParams,
    headers: IfMatch,
    response: { 201: OneTimeLink },
  }),
}
