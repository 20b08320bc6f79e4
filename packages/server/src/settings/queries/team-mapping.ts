import type { TeamMapping, TeamRule } from '@plimsoll/contract'
import type { Db } from '../../platform/db/database.ts'
import { withEtag } from '../../platform/http/etag.ts'

/** There is one for the whole fleet. */
const id = 'teams'

export type StoredTeamMapping = { rules: TeamRule[]; revision: number; updatedAt: Date | null }

const none: StoredTeamMapping = { rules: [], revision: 0, updatedAt: null }

const selectMapping = (db: Db) =>
  db.selectFrom('team_mapping').select(['rules', 'revision', 'updated_at as updatedAt']).where('mapping_id', '=', id)

export async function loadTeamMapping(db: Db): Promise<StoredTeamMapping> {
  return (await selectMapping(db).executeTakeFirst()) ?? none
}

/** The revision of the mapping. Edits wait until the transaction ends. */
export async function shareTeamMapping(tx: Db): Promise<number> {
  return ((await selectMapping(tx).forShare().executeTakeFirst()) ?? none).revision
}

export async function lockTeamMapping(tx: Db): Promise<StoredTeamMapping> {
  const empty = { mapping_id: id, rules: '[]', revision: 0, updated_at: new Date(0) }
  await tx
    .insertInto('team_mapping')
    .values(empty)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await selectMapping(tx).forUpdate().executeTakeFirst()) ?? none
}

export async function writeTeamMapping(tx: Db, rules: TeamRule[], revision: number, now: Date): Promise<void> {
  await tx
    .updateTable('team_mapping')
    .set({ rules: JSON.stringify(rules), revision, updated_at: now })
    .where('mapping_id', '=', id)
    .execute()
}

export const presentTeamMapping = ({ rules, revision, updatedAt }: StoredTeamMapping): TeamMapping =>
  withEtag(revision, { rules, updated_at: revision === 0 ? null : (updatedAt?.toISOString() ?? null) })
