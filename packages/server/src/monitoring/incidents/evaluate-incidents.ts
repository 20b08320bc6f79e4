import type { Db } from '../../platform/db/database.ts'
import {
  findIncidentState,
  listNewestHours,
  lockIncidentState,
  writeIncidentState,
  type NewestHour,
} from '../queries/incidents.ts'
import { findIncidents, isNewHour, newestCommonHour } from './find-incidents.ts'
import { storeIncidents } from './store-incidents.ts'

/** Cheap, unlike the evaluation. */
export async function hasNewHour(db: Db, clusters: readonly Pick<NewestHour, 'newest'>[], now: Date): Promise<boolean> {
  return isNewHour(newestCommonHour(clusters, now), await findIncidentState(db))
}

/** Evaluates the newest finalised hour, and stores its incidents. An hour that was evaluated before changes nothing. */
export async function evaluateIncidents(db: Db, now: Date): Promise<void> {
  const clusters = await listNewestHours(db)
  const result = await findIncidents(db, clusters, now)
  if (result) await storeIncidents(db, result, now)
}

/** The newest hour counts as evaluated, without a change of incidents. Returns the skipped hour. */
export function skipHour(
  db: Db,
  clusters: readonly Pick<NewestHour, 'newest'>[],
  now: Date,
): Promise<number | undefined> {
  return db.transaction().execute(async (tx) => {
    const hour = newestCommonHour(clusters, now)
    const state = await lockIncidentState(tx)
    if (!isNewHour(hour, state)) return undefined
    await writeIncidentState(tx, { ...state, evaluatedTo: hour })
    return hour
  })
}
