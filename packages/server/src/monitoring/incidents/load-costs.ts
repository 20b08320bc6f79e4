import { dayMs, hourMs, type Decimal } from '@plimsoll/engine'
import type { AsOf, DayCost } from '@plimsoll/engine/forecast'
import { partTree, thresholdFloor, type Part, type PartTree, type RecentCost } from '@plimsoll/engine/incidents'
import { loadPartCosts, loadTeamCosts, loadWorkloadCosts, type PartCost, type TeamCost } from '../../costs/index.ts'
import { loadCover, loadHourlyCover } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { listDayHours } from '../queries/incidents.ts'
import { loadTeamMapping, type TeamRules } from '../../settings/index.ts'
import { loadIncidentTeams } from './incident-teams.ts'
import { INSTALLATION, partKey, partOf, teamPart, workloadOf } from './part-key.ts'

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
}

/** `end` is the end of the newest finalised hour. */
export const asOfEnd = (end: Date): AsOf => {
  const day = Math.floor(end.getTime() / dayMs)
  return { day, hours: (end.getTime() - day * dayMs) / hourMs }
}

/** Costs by part and step; the parts above get the sums of the parts below. */
class Sums {
  readonly #sums = new Map<string, Map<number, Decimal>>()

  add(keys: readonly string[], at: number, usd: Decimal): void {
    for (const key of keys) {
      const ofPart = this.#sums.get(key) ?? new Map<number, Decimal>()
      this.#sums.set(key, ofPart)
      ofPart.set(at, (ofPart.get(at) ?? 0n) + usd)
    }
  }

  of = (key: string): ReadonlyMap<number, Decimal> => this.#sums.get(key) ?? new Map()
}

type Loaded = {
  daily: Sums
  trailing: Sums
  hourly: Sums
  parts: Map<string, Part>
  hours: Map<string, Map<number, number>>
}

type NamedCluster = { readonly clusterId: string; readonly name: string }

export type CostQuestion = {
  clusters: readonly NamedCluster[]
  /** The end of the newest finalised hour. */
  end: Date
  /** Parts that are loaded however small they are. */
  kept: readonly string[]
}

export async function loadCosts(tx: Db, { clusters, end, kept }: CostQuestion): Promise<CostsOfParts> {
  const { rules: teams } = await loadTeamMapping(tx)
  const loaded: Loaded = {
    ...{ daily: new Sums(), trailing: new Sums(), hourly: new Sums() },
    parts: new Map([[INSTALLATION, { key: INSTALLATION, level: 'installation', parents: [] }]]),
    hours: new Map(),
  }
  for (const cluster of clusters) await loadCluster(tx, { cluster, end, teams }, loaded)
  const total = loaded.trailing.of(TOTAL).get(0) ?? 0n
  const workloads = { end, kept, floor: thresholdFloor(total) }
  for (const { clusterId } of clusters) await loadWorkloads(tx, { clusterId, ...workloads }, loaded)
  await addTeamsOfWorkloads(tx, clusters, end, loaded)
  return assembled(
    loaded,
    clusters.map(({ clusterId }) => clusterId),
    end,
  )
}

const ago = (end: Date, ms: number) => new Date(end.getTime() - ms)

const startOf = (end: Date) => new Date(Math.floor(end.getTime() / dayMs) * dayMs - historyDays * dayMs)

type ClusterQuestion = { cluster: NamedCluster; end: Date; teams: TeamRules }

async function loadCluster(tx: Db, { cluster, end, teams }: ClusterQuestion, loaded: Loaded): Promise<void> {
  const { clusterId, name } = cluster
  const from = startOf(end)
  const hours = await listDayHours(tx, clusterId, { from, to: end })
  const isYoung = hours.size < daysOfClusterMin
  const above = isYoung ? [] : [INSTALLATION]
  const add = (sums: Sums, costs: readonly PartCost[]) => {
    for (const { part, at, usd } of costs) {
      const own = partOf(clusterId, part)
      loaded.parts.set(own.key, own)
      sums.add([own.key, clusterId, ...above, TOTAL], at, usd)
    }
  }
  const addTeams = (sums: Sums, costs: readonly TeamCost[]) => {
    for (const { team, at, usd } of isYoung ? [] : costs) {
      const own = teamPart(team)
      loaded.parts.set(own.key, own)
      sums.add([own.key], at, usd)
    }
  }
  loaded.parts.set(clusterId, { key: clusterId, level: 'cluster', parents: above })
  const history = await loadCover(tx, clusterId, { from, to: end })
  add(loaded.daily, await loadPartCosts(tx, history, 'day'))
  addTeams(loaded.daily, await loadTeamCosts(tx, history, { cluster: name, step: 'day', teams }))
  const lastDay = await loadHourlyCover(tx, clusterId, { from: ago(end, dayMs), to: end })
  add(loaded.trailing, await loadPartCosts(tx, lastDay, 'none'))
  addTeams(loaded.trailing, await loadTeamCosts(tx, lastDay, { cluster: name, step: 'none', teams }))
  const lastHours = await loadHourlyCover(tx, clusterId, { from: ago(end, 3 * hourMs), to: end })
  add(loaded.hourly, await loadPartCosts(tx, lastHours, 'hour'))
  addTeams(loaded.hourly, await loadTeamCosts(tx, lastHours, { cluster: name, step: 'hour', teams }))
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
  for (const part of chosen.values()) loaded.parts.set(partKey(clusterId, part), partOf(clusterId, part))
  const add = (sums: Sums, costs: readonly PartCost[]) => {
    for (const { part, at, usd } of costs) {
      const key = partKey(clusterId, part)
      if (chosen.has(key)) sums.add([key], at, usd)
    }
  }
  const workloads = [...chosen.values()]
  add(loaded.trailing, all)
  const history = await loadCover(tx, clusterId, { from: startOf(end), to: end })
  add(loaded.daily, await loadWorkloadCosts(tx, history, { step: 'day', workloads }))
  const lastHours = await loadHourlyCover(tx, clusterId, { from: ago(end, 3 * hourMs), to: end })
  add(loaded.hourly, await loadWorkloadCosts(tx, lastHours, { step: 'hour', workloads }))
}

/** A workload lies in its namespace and in its team. A rise of both is one incident of the workload. */
async function addTeamsOfWorkloads(
  tx: Db,
  clusters: readonly NamedCluster[],
  end: Date,
  { parts }: Loaded,
): Promise<void> {
  const workloads = [...parts.values()].filter(({ level }) => level === 'workload').map(({ key }) => key)
  const clusterNames = new Map(clusters.map(({ clusterId, name }) => [clusterId, name]))
  const hour = Math.floor(end.getTime() / hourMs) - 1
  for (const [key, team] of await loadIncidentTeams(tx, workloads, { hour, clusterNames })) {
    const part = parts.get(key)
    if (part && parts.has(teamPart(team).key))
      parts.set(key, { ...part, parents: [...part.parents, teamPart(team).key] })
  }
}

/** An hour of the installation is known if all clusters with data on that day know it. */
function assembled(loaded: Loaded, clusterIds: readonly string[], end: Date): CostsOfParts {
  const whole = new Map<number, number>()
  for (const hours of loaded.hours.values())
    for (const [day, known] of hours) whole.set(day, Math.min(whole.get(day) ?? 24, known))
  const hoursOf = (key: string) => loaded.hours.get(clusterIds.find((id) => key.startsWith(id)) ?? '') ?? whole
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
  return { tree: partTree([...loaded.parts.values()]), days, recent, usdPerDay }
}
