import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tables } from '../../platform/db/tables.ts'
import { deleteAnswersAbout } from '../../platform/http/queries/idempotency.ts'

export type ViewRow = Selectable<Tables['saved_view']> & { email: string }

const viewsListed = 1_000

const selectViews = (db: Db) =>
  db
    .selectFrom('saved_view')
    .innerJoin('app_user', 'app_user.user_id', 'saved_view.user_id')
    .selectAll('saved_view')
    .select('email')

/** The views of the user and all shared ones. Own views come first, so that none is cut off. */
export async function listViews(db: Db, userId: string): Promise<ViewRow[]> {
  const rows = await selectViews(db)
    .where((eb) => eb.or([eb('saved_view.user_id', '=', userId), eb('is_shared', '=', true)]))
    .orderBy((eb) => eb('saved_view.user_id', '=', userId), 'desc')
    .orderBy('name')
    .orderBy('view_id')
    .limit(viewsListed)
    .execute()
  return rows.sort((a, b) => a.name.localeCompare(b.name) || (a.view_id < b.view_id ? -1 : 1))
}

/** Locks the view until the transaction ends. */
export function lockView(tx: Db, viewId: string): Promise<ViewRow | undefined> {
  return selectViews(tx).where('view_id', '=', viewId).forUpdate('saved_view').executeTakeFirst()
}

export function findView(db: Db, viewId: string): Promise<ViewRow | undefined> {
  return selectViews(db).where('view_id', '=', viewId).executeTakeFirst()
}

/** The user is locked, so that two requests cannot exceed the limit together. */
export async function countViews(tx: Db, userId: string): Promise<number> {
  await tx.selectFrom('app_user').select('user_id').where('user_id', '=', userId).forUpdate().execute()
  const { views } = await tx
    .selectFrom('saved_view')
    .select((eb) => eb.fn.countAll<string>().as('views'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return Number(views)
}

export async function insertView(tx: Db, row: Omit<ViewRow, 'email' | 'revision'>): Promise<void> {
  await tx.insertInto('saved_view').values(row).execute()
}

export async function updateView(tx: Db, row: Omit<ViewRow, 'email'>): Promise<void> {
  const { view_id: id, name, path, is_shared, revision, updated_at } = row
  await tx
    .updateTable('saved_view')
    .set({ name, path, is_shared, revision, updated_at })
    .where('view_id', '=', id)
    .execute()
}

export async function deleteView(tx: Db, viewId: string): Promise<void> {
  await tx.deleteFrom('saved_view').where('view_id', '=', viewId).execute()
  await deleteAnswersAbout(tx, viewId)
}
