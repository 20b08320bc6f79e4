import { askedPermissions } from '@plimsoll/contract'

/** Of what somebody holds, what anything can be done with today. */
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

/** Of each resource first what one looks at, then what one changes, then what is rarer. */
export function readFirst(permissions: readonly string[]): string[] {
  const place = (action: string) => (known.includes(action) ? known.indexOf(action) : known.length)
  return byResource(permissions).flatMap(([resource, actions]) =>
    [...actions].sort((a, b) => place(a) - place(b)).map((action) => `${resource}:${action}`),
  )
}
