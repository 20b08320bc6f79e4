import type { RoleOfGroup, TeamOfGroup } from '@plimsoll/contract'
import type { Db } from '../../platform/db/database.ts'

/** There is one row for the installation. */
const id = 'groups'

export type StoredSignInRules = {
  roles: RoleOfGroup[]
  teams: TeamOfGroup[]
  revision: number
  updatedAt: Date | null
}

const none: StoredSignInRules = { roles: [], teams: [], revision: 0, updatedAt: null }

const selectRules = (db: Db) =>
  db
    .selectFrom('sign_in_rules')
    .select(['roles', 'teams', 'revision', 'updated_at as updatedAt'])
    .where('rules_id', '=', id)

export async function loadSignInRules(db: Db): Promise<StoredSignInRules> {
  return (await selectRules(db).executeTakeFirst()) ?? none
}

export async function lockSignInRules(tx: Db): Promise<StoredSignInRules> {
  await tx
    .insertInto('sign_in_rules')
    .values({ rules_id: id, roles: '[]', teams: '[]', revision: 0, updated_at: new Date(0) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await selectRules(tx).forUpdate().executeTakeFirst()) ?? none
}

export async function writeSignInRules(tx: Db, { roles, teams, revision, updatedAt }: StoredSignInRules) {
  await tx
    .updateTable('sign_in_rules')
    .set({
      roles: JSON.stringify(roles),
      teams: JSON.stringify(teams),
      revision,
      updated_at: updatedAt ?? new Date(0),
    })
    .where('rules_id', '=', id)
    .execute()
}
