import { hourMs } from '@plimsoll/engine'
import type { Incident } from '@plimsoll/engine/incidents'
import type { Db } from '../../platform/db/database.ts'
import { loadTeamMapping } from '../../settings/index.ts'
import type { NewestHour } from '../queries/incidents.ts'
import { readTeams } from './load-team-costs.ts'
import { placeOf } from './part-key.ts'

const dayHours = 24

/**
 * The parts of open incidents of teams and of the installation that have cost in clusters whose costs are missing. A cluster
 * that sent nothing since a day before an incident has no part in it.
 */
export async function findIncompleteParts(
  tx: Db,
  incidents: readonly Incident[],
  missing: readonly NewestHour[],
): Promise<Set<string>> {
  const across = incidents.filter(({ endedAt, part }) => endedAt === null && placeOf(part).clusterId === null)
  const found = new Set<string>()
  if (across.length === 0) return found
  for (const cluster of missing) {
    const { newest } = cluster
    if (newest === null) continue
    const recent = across.filter(({ openedAt }) => newest.getTime() / hourMs >= openedAt - dayHours)
    if (recent.length === 0) continue
    const teams = await teamsOf(tx, cluster, newest)
    for (const { part } of recent) {
      const { team } = placeOf(part)
      if (team === null || !teams || teams.has(team)) found.add(part)
    }
  }
  return found
}

/** The teams of the last 24 hours with data. Undefined: too many to read. */
async function teamsOf(tx: Db, cluster: NewestHour, newest: Date): Promise<Set<string> | undefined> {
  const { rules } = await loadTeamMapping(tx)
  const end = new Date(newest.getTime() + hourMs)
  const from = new Date(end.getTime() - dayHours * hourMs)
  const costs = await readTeams(tx, cluster, { step: 'none', from, end, rules })
  return costs && new Set(costs.flatMap(({ team }) => team ?? []))
}
