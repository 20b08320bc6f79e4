import { Type, type Static } from 'typebox'
import { notAskedYet, permissions, type Permission } from '../permissions.ts'
import { Closed, ClusterId, Formed, NamespaceName, Nullable, pageFields, pageQuery, Timestamp } from './common.ts'
import { TeamName } from './team-mapping.ts'

const PermissionName = Type.Unsafe<Permission>({ type: 'string', enum: [...permissions] })

const permissionList = Type.Array(PermissionName, {
  uniqueItems: true,
  maxItems: permissions.length,
  description: notAskedYet,
})

const clusterIds = Type.Array(ClusterId('A cluster ID'), {
  uniqueItems: true,
  maxItems: 1000,
  description: 'Limits the role to these clusters, by ID; null means all',
})

const namespaceNames = Type.Array(NamespaceName, {
  uniqueItems: true,
  maxItems: 1000,
  description: 'Limits the role to these namespaces of its clusters; null means all',
})

const teamNames = Type.Array(TeamName, {
  uniqueItems: true,
  maxItems: 1000,
  description:
    'Limits the role to the cost of these teams; null means all. The role can only use operations that show cost by team',
})

export const Role = Type.Object(
  {
    name: Type.String(),
    built_in: Type.Boolean(),
    permissions: Type.Array(Type.String()),
    clusters: Nullable(Type.Array(Type.String()), 'Limited to these clusters; null means all'),
    namespaces: Nullable(Type.Array(Type.String()), 'Limited to these namespaces; null means all'),
    teams: Nullable(Type.Array(Type.String()), 'Limited to these teams; null means all'),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Role' },
)

export const rolePageSize = { max: 500, default: 100 }

export const ListRolesQuery = Closed(pageQuery(rolePageSize.max, rolePageSize.default))

export const RoleList = Type.Object(
  {
    roles: Type.Array(Role),
    permissions: Type.Array(Type.String(), { description: 'Permissions that operations require, by name' }),
    ...pageFields,
  },
  { title: 'RoleList' },
)

export const CreateRoleBody = Closed(
  {
    name: Formed('^[a-z][a-z0-9_-]{0,62}$', '1 to 63 lower-case letters, digits, - and _, a letter first', {
      description: 'Lower-case letters, digits, - and _',
    }),
    permissions: permissionList,
    clusters: Type.Optional(Nullable(clusterIds)),
    namespaces: Type.Optional(Nullable(namespaceNames)),
    teams: Type.Optional(Nullable(teamNames)),
  },
  {
    title: 'CreateRoleBody',
    examples: [{ name: 'finops', permissions: ['clusters:read', 'reports:read', 'billing:read'] }],
  },
)

export const UpdateRoleBody = Closed(
  {
    permissions: Type.Optional(permissionList),
    clusters: Type.Optional(Nullable(clusterIds)),
    namespaces: Type.Optional(Nullable(namespaceNames)),
    teams: Type.Optional(Nullable(teamNames)),
  },
  { title: 'UpdateRoleBody', minProperties: 1, examples: [{ permissions: ['clusters:read'] }] },
)

export type Role = Static<typeof Role>
export type RoleList = Static<typeof RoleList>
