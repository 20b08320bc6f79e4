import { usedPermissions, builtInRoles } from '@plimsoll/contract'
import { capital, plainName } from './labels.ts'

/** The pages have other names for some resources. */
const resourceNames: Record<string, string> = {
  audit: 'audit log',
  billing: 'prices',
  reports: 'costs',
  webhooks: 'channels',
}

export const resourceName = (resource: string) => resourceNames[resource] ?? plainName(resource)

const actionNames: Record<string, string> = { token: 'create agent tokens' }

export const actionName = (action: string) => actionNames[action] ?? action

/** `clusters:token` reads "Clusters: create agent tokens". */
export function permissionName(permission: string): string {
  const [resource = '', action = ''] = permission.split(':')
  return `${capital(resourceName(resource))}: ${actionName(action)}`
}

export const builtInRoleNames = Object.keys(builtInRoles)

/** The held permissions that the service knows. */
export const usable = (held: readonly string[]) => usedPermissions.filter((each) => held.includes(each))

/** `clusters:read, clusters:write` reads "clusters: read, write". */
export function byResource(permissions: readonly string[]): [resource: string, actions: string[]][] {
  const groups = new Map<string, string[]>()
  for (const permission of permissions) {
    const [resource = '', action = ''] = permission.split(':')
    groups.set(resource, [...(groups.get(resource) ?? []), action])
  }
  return [...groups]
}

const known = ['read', 'write']

/** Of each resource first read, then write, then the others. */
export function readFirst(permissions: readonly string[]): string[] {
  const place = (action: string) => (known.includes(action) ? known.indexOf(action) : known.length)
  return byResource(permissions).flatMap(([resource, actions]) =>
    [...actions].sort((a, b) => place(a) - place(b)).map((action) => `${resource}:${action}`),
  )
}

export const readOnly = (permissions: readonly string[]) => permissions.filter((each) => each.endsWith(':read'))

const actionWords: Record<string, string> = {
  read: 'read',
  write: 'change',
  delete: 'delete',
  apply: 'apply',
  token: 'create agent tokens of',
}

/** The permissions as text: "read clusters and reports; change clusters". */
export function inWords(permissions: readonly string[]): string {
  const byAction = new Map<string, string[]>()
  for (const [resource, actions] of byResource(readFirst(permissions))) {
    for (const action of actions) byAction.set(action, [...(byAction.get(action) ?? []), resourceName(resource)])
  }
  const order = Object.keys(actionWords)
  const parts = [...byAction].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
  return parts.map(([action, resources]) => `${actionWords[action] ?? action} ${listed.format(resources)}`).join('; ')
}

const listed = new Intl.ListFormat('en-GB')
