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

const attemptsMax = 3

/**
 * Evaluates the newest finalised hour, and stores its incidents. An hour that was evaluated before changes nothing, unless
 * `again`. A result that another server overtook is dropped: that server may have read older data, so `again` tries once more.
 */
export async function evaluateIncidents(db: Db, now: Date, { again }: { again: boolean }): Promise<void> {
  for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
    const result = await findIncidents(db, { clusters: await listNewestHours(db), now, again })
    if (!result || (await storeIncidents(db, result, now)) || !again) return
  }
  throw new Error('other servers evaluated incidents at the same time')
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
