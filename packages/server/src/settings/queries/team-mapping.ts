import type { CostSharing, SharingSettings, TeamMapping, TeamRule } from '@plimsoll/contract'
import type { Db } from '../../platform/db/database.ts'
import { withEtag } from '../../platform/http/etag.ts'

/** There is one for the whole fleet. */
const id = 'teams'

/** Who pays: the rules of teams, and the rules of costs without a team. Any change of either is a new revision. */
export type StoredTeamMapping = {
  rules: TeamRule[]
  sharing: SharingSettings
  revision: number
  /** The last change of the rules of teams. */
  updatedAt: Date | null
}

/** Until an admin chooses others. */
const defaultSharing: SharingSettings = {
  idle: 'proportional',
  overhead: 'proportional',
  namespaces: [],
  namespaces_by: 'proportional',
}

const none: StoredTeamMapping = { rules: [], sharing: defaultSharing, revision: 0, updatedAt: null }

const selectMapping = (db: Db) =>
  db
    .selectFrom('team_mapping')
    .select(['rules', 'sharing', 'revision', 'updated_at as updatedAt'])
    .where('mapping_id', '=', id)

type Row = Omit<StoredTeamMapping, 'sharing'> & { sharing: SharingSettings | null }

const storedOf = (row: Row | undefined): StoredTeamMapping =>
  row ? { ...row, sharing: row.sharing ?? defaultSharing } : none

export async function loadTeamMapping(db: Db): Promise<StoredTeamMapping> {
  return storedOf(await selectMapping(db).executeTakeFirst())
}

/** The revision of the mapping. Edits wait until the transaction ends. */
export async function shareTeamMapping(tx: Db): Promise<number> {
  return storedOf(await selectMapping(tx).forShare().executeTakeFirst()).revision
}

export async function lockTeamMapping(tx: Db): Promise<StoredTeamMapping> {
  const empty = { mapping_id: id, rules: '[]', revision: 0, updated_at: new Date(0) }
  await tx
    .insertInto('team_mapping')
    .values(empty)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return storedOf(await selectMapping(tx).forUpdate().executeTakeFirst())
}

export async function writeTeamMapping(tx: Db, rules: TeamRule[], revision: number, now: Date): Promise<void> {
  await tx
    .updateTable('team_mapping')
    .set({ rules: JSON.stringify(rules), revision, updated_at: now })
    .where('mapping_id', '=', id)
    .execute()
}

export async function writeCostSharing(tx: Db, sharing: SharingSettings, revision: number): Promise<void> {
  await tx
    .updateTable('team_mapping')
    .set({ sharing: JSON.stringify(sharing), revision })
    .where('mapping_id', '=', id)
    .execute()
}

export const presentTeamMapping = ({ rules, revision, updatedAt }: Omit<StoredTeamMapping, 'sharing'>): TeamMapping =>
  withEtag(revision, { rules, updated_at: updatedAt && updatedAt.getTime() > 0 ? updatedAt.toISOString() : null })

export const presentCostSharing = ({
  sharing,
  revision,
}: Pick<StoredTeamMapping, 'sharing' | 'revision'>): CostSharing => withEtag(revision, sharing)
