import { announceAgain, evaluateRule } from '../../alerts/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { lockIncidentState, writeIncidents, writeIncidentState } from '../queries/incidents.ts'
import type { IncidentResult } from './evaluate-incidents.ts'
import { incidentCondition } from './incident-condition.ts'
import { storeIncident } from './stored-incident.ts'

const rule = 'cost_above_expected'

/** Stores an evaluated hour with its alerts, once: another server may have evaluated the hour meanwhile. */
export async function storeIncidents(
  db: Db,
  { state, log }: IncidentResult,
  clusterNames: ReadonlyMap<string, string>,
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { evaluatedTo } = await lockIncidentState(tx)
    if ((evaluatedTo ?? -1) >= (state.evaluatedTo ?? 0)) return
    await writeIncidentState(tx, state)
    await writeIncidents(
      tx,
      log.incidents.map((incident) => ({ id: incident.id, endedAt: incident.endedAt, data: storeIncident(incident) })),
    )
    const open = log.incidents.filter(({ endedAt }) => endedAt === null)
    const conditions = open.map((incident) => incidentCondition(incident, clusterNames))
    await evaluateRule(tx, { rule, conditions }, now)
    for (const { kind, id, hour } of log.events) {
      if (kind === 'ended') continue
      const transition = kind === 'grew' ? `grew ${hour}` : 'firing'
      await announceAgain(tx, { rule, entity: id, transition }, now)
    }
  })
}
