import type { SharingRule, SharingSettings, StatementPart } from '@plimsoll/contract'

const words: Record<SharingRule, string> = {
  proportional: 'Shared in proportion to own cost, within each cluster and day',
  even: 'Shared in equal parts among the teams of each cluster and day',
  none: 'Not shared',
}

export type StatementRule = {
  part: StatementPart
  sharing: SharingRule
  rule: string
  namespaces: string[]
}

/** The rules in the order of a statement. Shared namespaces appear only if there are any. */
export function rulesOf({ idle, overhead, namespaces, namespaces_by: by }: SharingSettings): StatementRule[] {
  const rule = (part: StatementPart, sharing: SharingRule, names: readonly string[] = []) => ({
    part,
    sharing,
    rule: words[sharing],
    namespaces: [...names],
  })
  return [
    rule('idle', idle),
    rule('overhead', overhead),
    ...(namespaces.length > 0 ? [rule('namespaces', by, namespaces)] : []),
  ]
}
