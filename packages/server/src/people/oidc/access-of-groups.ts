import type { RoleOfGroup, TeamOfGroup } from '@plimsoll/contract'

export type GroupRules = { roles: readonly RoleOfGroup[]; teams: readonly TeamOfGroup[] }

/** `teams` null: not limited to teams. */
export type GroupAccess = { role: string; teams: string[] | null }

/** The first rule with a group of the user decides. Undefined: the user has no access. */
export function accessOfGroups(groups: readonly string[], rules: GroupRules): GroupAccess | undefined {
  const held = new Set(groups)
  const rule = rules.roles.find(({ group }) => held.has(group))
  if (!rule) return undefined
  if (!rule.own_teams_only) return { role: rule.role, teams: null }
  const teams = new Set(rules.teams.filter(({ group }) => held.has(group)).map(({ team }) => team))
  return teams.size === 0 ? undefined : { role: rule.role, teams: [...teams].sort() }
}
