import { dayMs, groupBy, hourMs, type Decimal } from '@plimsoll/engine'
import { loadTeamCosts, TooManyRows, type RowLimit, type TeamCost } from '../../costs/index.ts'
import { loadCover, loadHourlyCover } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { TeamRules } from '../../settings/index.ts'
import type { Loaded, NamedCluster, Sums } from './cost-sums.ts'
import { placeOf, teamNamespacePart, teamPart } from './part-key.ts'

type TeamsQuestion = {
  clusters: readonly NamedCluster[]
  historyFrom: Date
  end: Date
  kept: readonly string[]
  /** Teams with less cost in the last 24 hours open no incident, so they are not read. */
  floor: Decimal
  rules: TeamRules
  limit?: RowLimit | undefined
}

/**
 * Adds teams. A namespace of one owner lies in its team, so a rise of both is one incident. In a namespace of several
 * owners, each team has its own part. A cluster with too many values of labels has no teams; other clusters keep theirs.
 */
export async function addTeams(tx: Db, { clusters, kept, floor, ...times }: TeamsQuestion, loaded: Loaded) {
  const lastDays = new Map<NamedCluster, TeamCost[]>()
  for (const cluster of clusters.filter(({ clusterId }) => loaded.counted.has(clusterId))) {
    const costs = await readTeams(tx, cluster, { step: 'none', from: ago(times.end, dayMs), ...times })
    if (costs) lastDays.set(cluster, costs)
    else loaded.unreadTeams.add(cluster.clusterId)
  }
  const chosen = chosenTeams([...lastDays.values()].flat(), kept, floor)
  for (const team of chosen) loaded.parts.set(teamPart(team).key, teamPart(team))
  for (const key of kept) addKeptPair(key, loaded)
  for (const [cluster, lastDay] of lastDays) await addCluster(tx, { cluster, lastDay, chosen, ...times }, loaded)
}

const ago = (end: Date, ms: number) => new Date(end.getTime() - ms)

type TeamTimes = Pick<TeamsQuestion, 'historyFrom' | 'end' | 'rules' | 'limit'>
type Reading = Pick<TeamsQuestion, 'end' | 'rules' | 'limit'> & { step: 'none' | 'day' | 'hour'; from: Date }

/** Undefined: too many rows. */
export async function readTeams(
  tx: Db,
  { clusterId, name }: NamedCluster,
  { step, from, end, rules: teams, limit }: Reading,
): Promise<TeamCost[] | undefined> {
  const load = step === 'day' ? loadCover : loadHourlyCover
  try {
    return await loadTeamCosts(tx, await load(tx, clusterId, { from, to: end }), { cluster: name, step, teams, limit })
  } catch (error) {
    if (error instanceof TooManyRows) return undefined
    throw error
  }
}

function chosenTeams(costs: readonly TeamCost[], kept: readonly string[], floor: Decimal): Set<string> {
  const sums = new Map<string, Decimal>()
  for (const { team, usd } of costs) if (team !== undefined) sums.set(team, (sums.get(team) ?? 0n) + usd)
  const large = [...sums].filter(([, usd]) => usd > floor).map(([team]) => team)
  return new Set([...large, ...kept.flatMap((key) => placeOf(key).team ?? [])])
}

function addKeptPair(key: string, { parts, unread }: Loaded): void {
  const { clusterId, namespace, team } = placeOf(key)
  if (clusterId === null || namespace === null || team === null || unread.has(clusterId)) return
  const part = teamNamespacePart(clusterId, namespace, team)
  parts.set(part.key, part)
}

type ClusterTeams = TeamTimes & { cluster: NamedCluster; lastDay: readonly TeamCost[]; chosen: ReadonlySet<string> }

async function addCluster(tx: Db, question: ClusterTeams, loaded: Loaded): Promise<void> {
  const { cluster, lastDay, chosen, historyFrom, ...times } = question
  const { clusterId } = cluster
  const days = await readTeams(tx, cluster, { step: 'day', from: historyFrom, ...times })
  const hours = days && (await readTeams(tx, cluster, { step: 'hour', from: ago(times.end, 3 * hourMs), ...times }))
  if (!days || !hours) {
    loaded.unreadTeams.add(clusterId)
    return
  }
  addOwners(clusterId, lastDay, chosen, loaded)
  const add = (sums: Sums, costs: readonly TeamCost[]) => {
    for (const { team, namespace, at, usd } of costs) {
      if (team === undefined || !chosen.has(team)) continue
      const pair = teamNamespacePart(clusterId, namespace, team).key
      sums.add([teamPart(team).key, ...(loaded.parts.has(pair) ? [pair] : [])], at, usd)
      const clusters = loaded.teamClusters.get(teamPart(team).key) ?? new Set<string>()
      loaded.teamClusters.set(teamPart(team).key, clusters.add(clusterId))
    }
  }
  add(loaded.daily, days)
  add(loaded.trailing, lastDay)
  add(loaded.hourly, hours)
}

/** The owners of a namespace in the last 24 hours. */
function addOwners(
  clusterId: string,
  lastDay: readonly TeamCost[],
  chosen: ReadonlySet<string>,
  { parts }: Loaded,
): void {
  for (const [namespace, costs] of groupBy(lastDay, (each) => each.namespace)) {
    const owners = new Set(costs.filter(({ usd }) => usd > 0n).map(({ team }) => team))
    const teams = [...owners].flatMap((team) => (team !== undefined && chosen.has(team) ? [team] : []))
    const part = parts.get(`${clusterId}/${namespace}`)
    for (const team of teams) {
      const pair = teamNamespacePart(clusterId, namespace, team)
      if (owners.size > 1) parts.set(pair.key, pair)
      else if (part) parts.set(part.key, { ...part, parents: [...part.parents, teamPart(team).key] })
    }
  }
}
