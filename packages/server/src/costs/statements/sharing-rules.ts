import type { StatementPart, StatementSharing } from '@plimsoll/contract'

/** Until an admin chooses others. */
export const defaultSharing: StatementSharing = {
  idle: 'proportional',
  overhead: 'proportional',
  namespaces: [],
  namespacesBy: 'proportional',
}

const words = {
  proportional: 'Shared in proportion to own cost, within each cluster',
  even: 'Shared in equal parts among the teams of each cluster',
  none: 'Not shared',
}

export type StatementRule = {
  part: StatementPart
  sharing: 'none' | 'even' | 'proportional'
  rule: string
  namespaces: string[]
}

/** The rules in the order of a statement. Shared namespaces appear only if there are any. */
export function rulesOf({ idle, overhead, namespaces, namespacesBy }: StatementSharing): StatementRule[] {
  const rule = (part: StatementPart, sharing: StatementRule['sharing'], names: readonly string[] = []) => ({
    part,
    sharing,
    rule: words[sharing],
    namespaces: [...names],
  })
  return [
    rule('idle', idle),
    rule('overhead', overhead),
    ...(namespaces.length > 0 ? [rule('namespaces', namespacesBy, namespaces)] : []),
  ]
}
