import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/** What names a team, besides labels of workloads. */
export type TeamUses = {
  mappingRules: number
  signInRules: number
  roles: string[]
  budgets: string[]
  channels: string[]
}

export async function findTeamUses(tx: Db, team: string): Promise<TeamUses> {
  const { rows } = await sql<TeamUses>`
    select
      (select count(*)::integer from team_mapping, jsonb_array_elements(rules) as rule
        where rule ->> 'team' = ${team}) as "mappingRules",
      (select count(*)::integer from sign_in_rules, jsonb_array_elements(teams) as rule
        where rule ->> 'team' = ${team}) as "signInRules",
      array(select name from role where ${team} = any(teams) order by name) as roles,
      array(select name from budget where scope -> 'teams' ? ${team} order by name) as budgets,
      array(select c.name from team_channel t join channel c using (channel_id) where t.team = ${team} order by c.name)
        as channels`.execute(tx)
  const [uses] = rows
  if (!uses) throw new Error('a query without a row')
  return uses
}

/** Empty: the team can be deleted. */
export const useTexts = ({ mappingRules, signInRules, roles, budgets, channels }: TeamUses): string[] => [
  ...(mappingRules > 0 ? ['mapping rules'] : []),
  ...(signInRules > 0 ? ['sign-in rules'] : []),
  ...namesText('roles', roles),
  ...namesText('budgets', budgets),
  ...namesText('channels', channels),
]

const namesShown = 5

function namesText(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return []
  const more = names.length > namesShown ? ` and ${names.length - namesShown} more` : ''
  return [`${what} (${names.slice(0, namesShown).join(', ')}${more})`]
}
