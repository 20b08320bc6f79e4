import { IfMatch, NoContent } from '../schemas/common.ts'
import { RoleParams } from '../schemas/path-params.ts'
import { CreateRoleBody, ListRolesQuery, Role, RoleList, UpdateRoleBody } from '../schemas/roles.ts'
import { operation } from './operation.ts'

export const roleOperations = {
  listRoles: operation('GET /api/v1/roles', {
    access: 'roles:read',
    tag: 'Roles',
    summary: 'List roles',
    query: ListRolesQuery,
    response: { 200: RoleList },
  }),

  createRole: operation('POST /api/v1/roles', {
    access: 'roles:write',
    tag: 'Roles',
    summary: 'Create a custom role',
    body: CreateRoleBody,
    response: { 201: Role },
  }),

  getRole: operation('GET /api/v1/roles/:role', {
    access: 'roles:read',
    tag: 'Roles',
    summary: 'Show a role',
    params: RoleParams,
    response: { 200: Role, 304: NoContent },
  }),

  updateRole: operation('PATCH /api/v1/roles/:role', {
    access: 'roles:write',
    tag: 'Roles',
    summary: 'Change a custom role',
    params: RoleParams,
    headers: IfMatch,
    body: UpdateRoleBody,
    response: { 200: Role },
  }),

  deleteRole: operation('DELETE /api/v1/roles/:role', {
    access: 'roles:write',
    tag: 'Roles',
    summary: 'Delete a custom role (only if no user has it)',
    params: RoleParams,
    headers: IfMatch,
    response: { 204: NoContent },
  }),
}
