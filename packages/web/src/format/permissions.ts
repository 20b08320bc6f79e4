import { askedPermissions, builtInRoles } from '@plimsoll/contract'
import { plainName } from './labels.ts'

export const builtInRoleNames = Object.keys(builtInRoles)

/** The held permissions that the service knows. */
export const usable = (held: readonly string[]) => askedPermissions.filter((each) => held.includes(each))

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
    for (const action of actions) byAction.set(action, [...(byAction.get(action) ?? []), plainName(resource)])
  }
  const order = Object.keys(actionWords)
  const parts = [...byAction].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
  return parts.map(([action, resources]) => `${actionWords[action] ?? action} ${listed.format(resources)}`).join('; ')
}

const listed = new Intl.ListFormat('en-GB')
