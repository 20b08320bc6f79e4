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
