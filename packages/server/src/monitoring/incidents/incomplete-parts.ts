import { hourMs } from '@plimsoll/engine'
import type { Incident } from '@plimsoll/engine/incidents'
import type { Db } from '../../platform/db/database.ts'
import { loadTeamMapping } from '../../settings/index.ts'
import type { NewestHour } from '../queries/incidents.ts'
import { readTeams } from './load-team-costs.ts'
import { placeOf } from './part-key.ts'

const dayHours = 24

/** A cluster without data for this time was retired, so incidents of teams and of the installation go on without it. */
const retiredHours = 7 * dayHours

export type MissingCosts = {
  /** Hours since 1970. */
  hour: number
  /** Clusters without any cost: without recent data, repriced, or with too many rows. */
  missing: readonly NewestHour[]
  /** Clusters whose costs of teams alone are missing. */
  missingTeams: readonly NewestHour[]
}

/**
 * The parts of open incidents that have cost in clusters whose costs are missing. A cluster that sent nothing since a day before
 * an incident has no part in it.
 */
export async function findIncompleteParts(
  tx: Db,
  incidents: readonly Incident[],
  { hour, missing, missingTeams }: MissingCosts,
): Promise<Set<string>> {
  const open = incidents.filter(({ endedAt }) => endedAt === null)
  const across = open.filter(({ part }) => placeOf(part).clusterId === null)
  const found = new Set(pairsOf(open, missingTeams))
  if (across.length === 0) return found
  for (const cluster of [...missing, ...missingTeams]) {
    const newest = cluster.newest && cluster.newest.getTime() / hourMs
    if (newest === null || hour - newest > retiredHours) continue
    const recent = across.filter(({ part, openedAt }) => {
      const isOfTeam = placeOf(part).team !== null
      return newest >= openedAt - dayHours && (isOfTeam || missing.includes(cluster))
    })
    if (recent.length === 0) continue
    const teams = await teamsOf(tx, cluster, (newest + 1) * hourMs)
    for (const { part } of recent) {
      const { team } = placeOf(part)
      if (team === null || !teams || teams.has(team)) found.add(part)
    }
  }
  return found
}

/** What teams have in the namespaces of these clusters. */
function pairsOf(open: readonly Incident[], clusters: readonly NewestHour[]): string[] {
  const ids = new Set(clusters.map(({ clusterId }) => clusterId))
  return open
    .map(({ part }) => part)
    .filter((part) => {
      const { clusterId, team } = placeOf(part)
      return team !== null && clusterId !== null && ids.has(clusterId)
    })
}

/** The teams of the last 24 hours with data. Undefined: too many to read. */
async function teamsOf(tx: Db, cluster: NewestHour, endMs: number): Promise<Set<string> | undefined> {
  const { rules } = await loadTeamMapping(tx)
  const [from, end] = [new Date(endMs - dayHours * hourMs), new Date(endMs)]
  const costs = await readTeams(tx, cluster, { step: 'none', from, end, rules })
  return costs && new Set(costs.flatMap(({ team }) => team ?? []))
}
