import { announceAgain, evaluateRule, listFiringClusters } from '../../alerts/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { listClusterNames, lockIncidentState, writeIncidents, writeIncidentState } from '../queries/incidents.ts'
import type { IncidentResult } from './find-incidents.ts'
import { announcedPrices } from './announced-prices.ts'
import { incidentCondition } from './incident-condition.ts'
import { loadIncidentTeams } from './incident-teams.ts'
import { placeOf } from './part-key.ts'
import { storeIncident } from './stored-incident.ts'

const rule = 'cost_above_expected'

/**
 * Stores an evaluated hour with its alerts. Another server may have stored an evaluation meanwhile: this result then lacks
 * its incidents and accepted levels, so the result is dropped (false). A cluster may have been deleted meanwhile.
 */
export async function storeIncidents(db: Db, { basedOn, state, log }: IncidentResult, now: Date): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { revision } = await lockIncidentState(tx)
    if (revision !== basedOn) return false
    const clusterNames = await listClusterNames(tx)
    const isKept = (part: string) => {
      const { clusterId } = placeOf(part)
      return clusterId === null || clusterNames.has(clusterId)
    }
    const steps = Object.fromEntries(Object.entries(state.steps).filter(([part]) => isKept(part)))
    await writeIncidentState(tx, { ...state, steps })
    const incidents = log.incidents.filter(({ part }) => isKept(part))
    await writeIncidents(
      tx,
      incidents.map((incident) => ({ id: incident.id, endedAt: incident.endedAt, data: storeIncident(incident) })),
    )
    const open = incidents.filter(({ endedAt }) => endedAt === null)
    const parts = open.map(({ part }) => part)
    const teams = await loadIncidentTeams(tx, parts, { hour: log.evaluatedTo, clusterNames })
    // The alert about the prices has the message.
    const joined = announcedPrices(open, new Set(await listFiringClusters(tx, 'price_changed')))
    const conditions = open.map((incident) => ({
      ...incidentCondition(incident, clusterNames),
      ...(joined.has(incident.id) ? { unsent: 'joined' as const } : {}),
      team: teams.get(incident.part) ?? null,
    }))
    await evaluateRule(tx, { rule, conditions }, now)
    for (const { kind, id, hour } of log.events) {
      if (kind === 'ended' || joined.has(id)) continue
      const transition = kind === 'grew' ? `grew ${hour}` : 'firing'
      await announceAgain(tx, { rule, entity: id, transition }, now)
    }
    return true
  })
}
