import { dayMs, hourMs, type Decimal } from '@plimsoll/engine'
import type { AsOf, DayCost } from '@plimsoll/engine/forecast'
import { partTree, thresholdFloor, type PartTree, type RecentCost } from '@plimsoll/engine/incidents'
import { loadPartCosts, loadWorkloadCosts, TooManyRows, type PartCost, type RowLimit } from '../../costs/index.ts'
import { loadCover, loadHourlyCover } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { newSums, type Loaded, type NamedCluster, type Sums } from './cost-sums.ts'
import { listDayHours } from '../queries/incidents.ts'
import { loadTeamMapping } from '../../settings/index.ts'
import { loadIncidentTeams } from './incident-teams.ts'
import { addTeams } from './load-team-costs.ts'
import { INSTALLATION, partKey, partOf, placeOf, teamNamespacePart, teamPart, workloadOf } from './part-key.ts'

/** Older days change no forecast. */
export const historyDays = 112

/**
 * A younger cluster does not count in the installation and in teams: its connection would look like a rise. It has its own parts,
 * and facts about them.
 */
const daysOfClusterMin = 28

/** No part: all clusters, of any age. */
const TOTAL = 'total'

export type CostsOfParts = {
  tree: PartTree
  days: ReadonlyMap<string, DayCost[]>
  recent: ReadonlyMap<string, RecentCost>
  /** The cost of the last 24 hours of all clusters. */
  usdPerDay: Decimal
  /** Clusters with too many rows: all costs, or the costs of teams, are missing. */
  unread: ReadonlySet<string>
  unreadTeams: ReadonlySet<string>
}

/** `end` is the end of the newest finalised hour. */
export const asOfEnd = (end: Date): AsOf => {
  const day = Math.floor(end.getTime() / dayMs)
  return { day, hours: (end.getTime() - day * dayMs) / hourMs }
}

export type CostQuestion = {
  clusters: readonly NamedCluster[]
  /** The end of the newest finalised hour. */
  end: Date
  /** Parts that are loaded however small they are. */
  kept: readonly string[]
  limit?: RowLimit
}

export async function loadCosts(tx: Db, { clusters, end, kept, limit }: CostQuestion): Promise<CostsOfParts> {
  const { rules } = await loadTeamMapping(tx)
  const loaded = newSums()
  loaded.parts.set(INSTALLATION, { key: INSTALLATION, level: 'installation', parents: [] })
  for (const { clusterId } of clusters)
    if (!(await isReadable(() => loadCluster(tx, { clusterId, end, limit }, loaded)))) loaded.unread.add(clusterId)
  const read = clusters.filter(({ clusterId }) => !loaded.unread.has(clusterId))
  const floor = thresholdFloor(loaded.trailing.of(TOTAL).get(0) ?? 0n)
  for (const { clusterId } of read) await isReadable(() => loadWorkloads(tx, { clusterId, end, kept, floor }, loaded))
  await addTeams(tx, { clusters: read, historyFrom: startOf(end), end, kept, floor, rules, limit }, loaded)
  await addTeamsOfWorkloads(tx, read, end, loaded)
  return assembled(loaded, end)
}

/** Names of one cluster must not stop the incidents of the others. */
async function isReadable(load: () => Promise<void>): Promise<boolean> {
  try {
    await load()
    return true
  } catch (error) {
    if (error instanceof TooManyRows) return false
    throw error
  }
}

const ago = (end: Date, ms: number) => new Date(end.getTime() - ms)

const startOf = (end: Date) => new Date(Math.floor(end.getTime() / dayMs) * dayMs - historyDays * dayMs)

type ClusterQuestion = { clusterId: string; end: Date; limit: RowLimit | undefined }

async function loadCluster(tx: Db, { clusterId, end, limit }: ClusterQuestion, loaded: Loaded): Promise<void> {
  const from = startOf(end)
  const hours = await listDayHours(tx, clusterId, { from, to: end })
  const isCounted = hours.size >= daysOfClusterMin
  const above = isCounted ? [INSTALLATION] : []
  const daily = await loadPartCosts(tx, await loadCover(tx, clusterId, { from, to: end }), 'day', limit)
  const lastDay = await loadHourlyCover(tx, clusterId, { from: ago(end, dayMs), to: end })
  const trailing = await loadPartCosts(tx, lastDay, 'none', limit)
  const lastHours = await loadHourlyCover(tx, clusterId, { from: ago(end, 3 * hourMs), to: end })
  const hourly = await loadPartCosts(tx, lastHours, 'hour', limit)
  const add = (sums: Sums, costs: readonly PartCost[]) => {
    for (const { part, at, usd } of costs) {
      const own = partOf(clusterId, part)
      loaded.parts.set(own.key, own)
      sums.add([own.key, clusterId, ...above, TOTAL], at, usd)
    }
  }
  loaded.parts.set(clusterId, { key: clusterId, level: 'cluster', parents: above })
  if (isCounted) loaded.counted.add(clusterId)
  add(loaded.daily, daily)
  add(loaded.trailing, trailing)
  add(loaded.hourly, hourly)
  loaded.hours.set(clusterId, new Map([...hours, [trailingHours, lastDay.hoursWithData]]))
}

/** Beside the days. */
const trailingHours = -1

/**
 * Only workloads over the smallest threshold can open an incident, so the others are not looked at. A workload of an open
 * incident may have fallen below it, or be deleted: its incident ends by its cost.
 */
async function loadWorkloads(
  tx: Db,
  { clusterId, end, kept, floor }: { clusterId: string; end: Date; kept: readonly string[]; floor: Decimal },
  loaded: Loaded,
): Promise<void> {
  const lastDay = await loadHourlyCover(tx, clusterId, { from: ago(end, dayMs), to: end })
  const all = await loadWorkloadCosts(tx, lastDay, { step: 'none', workloads: null })
  const large = all.filter(({ usd }) => usd > floor).map(({ part }) => part)
  const chosen = new Map(
    [...large, ...kept.flatMap((key) => workloadOf(clusterId, key) ?? [])].map((part) => [
      partKey(clusterId, part),
      part,
    ]),
  )
  if (chosen.size === 0) return
  const workloads = [...chosen.values()]
  const history = await loadCover(tx, clusterId, { from: startOf(end), to: end })
  const daily = await loadWorkloadCosts(tx, history, { step: 'day', workloads })
  const lastHours = await loadHourlyCover(tx, clusterId, { from: ago(end, 3 * hourMs), to: end })
  const hourly = await loadWorkloadCosts(tx, lastHours, { step: 'hour', workloads })
  for (const part of workloads) loaded.parts.set(partKey(clusterId, part), partOf(clusterId, part))
  const add = (sums: Sums, costs: readonly PartCost[]) => {
    for (const { part, at, usd } of costs) {
      const key = partKey(clusterId, part)
      if (chosen.has(key)) sums.add([key], at, usd)
    }
  }
  add(loaded.trailing, all)
  add(loaded.daily, daily)
  add(loaded.hourly, hourly)
}

/** A workload lies in its namespace and in its team. A rise of both is one incident of the workload. */
async function addTeamsOfWorkloads(
  tx: Db,
  clusters: readonly NamedCluster[],
  end: Date,
  { parts, counted }: Loaded,
): Promise<void> {
  const workloads = [...parts.values()].filter(({ level }) => level === 'workload').map(({ key }) => key)
  const clusterNames = new Map(clusters.map(({ clusterId, name }) => [clusterId, name]))
  const hour = Math.floor(end.getTime() / hourMs) - 1
  for (const [key, team] of await loadIncidentTeams(tx, workloads, { hour, clusterNames })) {
    const part = parts.get(key)
    const { clusterId, namespace } = placeOf(key)
    if (!part || clusterId === null || namespace === null || !counted.has(clusterId)) continue
    const above = [teamPart(team).key, teamNamespacePart(clusterId, namespace, team).key].filter((each) =>
      parts.has(each),
    )
    parts.set(key, { ...part, parents: [...part.parents, ...above] })
  }
}

/** An hour of several clusters is known if all of them with data on that day know it. */
function commonHours(hours: Loaded['hours'], clusterIds: Iterable<string>): Map<number, number> {
  const common = new Map<number, number>()
  for (const id of clusterIds)
    for (const [day, known] of hours.get(id) ?? []) common.set(day, Math.min(common.get(day) ?? 24, known))
  return common
}

function assembled(loaded: Loaded, end: Date): CostsOfParts {
  const whole = commonHours(loaded.hours, loaded.counted)
  const hoursOf = (key: string) => {
    const clusters = loaded.teamClusters.get(key)
    if (clusters) return commonHours(loaded.hours, clusters)
    return loaded.hours.get(placeOf(key).clusterId ?? '') ?? whole
  }
  const days = new Map<string, DayCost[]>()
  const recent = new Map<string, RecentCost>()
  const today = Math.floor(end.getTime() / dayMs)
  for (const key of loaded.parts.keys()) {
    const known = hoursOf(key)
    const usd = loaded.daily.of(key)
    days.set(
      key,
      [...known]
        .filter(([day]) => day !== trailingHours && day <= today)
        .sort(([a], [b]) => a - b)
        .map(([day, knownHours]) => ({ day, knownHours, usd: usd.get(day * dayMs) ?? 0n })),
    )
    recent.set(key, {
      trailing: { usd: loaded.trailing.of(key).get(0) ?? 0n, knownHours: known.get(trailingHours) ?? 0 },
      lastHours: [...loaded.hourly.of(key).values()],
    })
  }
  const usdPerDay = loaded.trailing.of(TOTAL).get(0) ?? 0n
  const { unread, unreadTeams } = loaded
  return { tree: partTree([...loaded.parts.values()]), days, recent, usdPerDay, unread, unreadTeams }
}
