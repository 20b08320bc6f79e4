import { hourMs } from '@plimsoll/engine'
import { loadTeamMapping, teamOf } from '../../settings/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { listLabels } from '../queries/incidents.ts'
import { placeOf } from './part-key.ts'

/** The team of each team, and of each namespace or workload whose last 24 hours have one team. Other parts have no team. */
export async function loadIncidentTeams(
  tx: Db,
  parts: readonly string[],
  { hour, clusterNames }: { hour: number; clusterNames: ReadonlyMap<string, string> },
): Promise<Map<string, string>> {
  const { rules } = await loadTeamMapping(tx)
  const since = new Date((hour - 23) * hourMs)
  const found = new Map<string, string>()
  for (const part of parts) {
    const { clusterId, namespace, workload, team: own } = placeOf(part)
    if (own !== null) found.set(part, own)
    if (own !== null || clusterId === null || namespace === null) continue
    const cluster = clusterNames.get(clusterId) ?? clusterId
    const all = await listLabels(tx, { clusterId, namespace, workload, since })
    const [team, ...others] = new Set(all.map((labels) => teamOf(rules, { cluster, namespace, labels })))
    if (team !== undefined && others.length === 0) found.set(part, team)
  }
  return found
}
