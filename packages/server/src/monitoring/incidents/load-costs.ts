import { dayMs, hourMs, type Decimal } from '@plimsoll/engine'
import type { AsOf, DayCost } from '@plimsoll/engine/forecast'
import { partTree, thresholdFloor, type Part, type PartTree, type RecentCost } from '@plimsoll/engine/incidents'
import { loadPartCosts, loadWorkloadCosts, type PartCost } from '../../costs/index.ts'
import { loadCover, loadHourlyCover } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { listDayHours } from '../queries/incidents.ts'
import { INSTALLATION, partKey, partOf, workloadOf } from './part-key.ts'

/** Older days change no forecast. */
export const historyDays = 112

export type CostsOfParts = {
  tree: PartTree
  days: ReadonlyMap<string, DayCost[]>
  recent: ReadonlyMap<string, RecentCost>
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

export type CostQuestion = {
  clusterIds: readonly string[]
  /** The end of the newest finalised hour. */
  end: Date
  /** Parts that are loaded however small they are. */
  kept: readonly string[]
}

export async function loadCosts(tx: Db, { clusterIds, end, kept }: CostQuestion): Promise<CostsOfParts> {
  const loaded: Loaded = {
    ...{ daily: new Sums(), trailing: new Sums(), hourly: new Sums() },
    parts: new Map([[INSTALLATION, { key: INSTALLATION, level: 'installation', parents: [] }]]),
    hours: new Map(),
  }
  for (const clusterId of clusterIds) await loadCluster(tx, clusterId, end, loaded)
  const total = loaded.trailing.of(INSTALLATION).get(0) ?? 0n
  const workloads = { end, kept, floor: thresholdFloor(total) }
  for (const clusterId of clusterIds) await loadWorkloads(tx, { clusterId, ...workloads }, loaded)
  return assembled(loaded, clusterIds, end)
}

const ago = (end: Date, ms: number) => new Date(end.getTime() - ms)

const startOf = (end: Date) => new Date(Math.floor(end.getTime() / dayMs) * dayMs - historyDays * dayMs)

async function loadCluster(tx: Db, clusterId: string, end: Date, loaded: Loaded): Promise<void> {
  const add = (sums: Sums, costs: readonly PartCost[]) => {
    for (const { part, at, usd } of costs) {
      const own = partOf(clusterId, part)
      loaded.parts.set(own.key, own)
      sums.add([own.key, clusterId, INSTALLATION], at, usd)
    }
  }
  const from = startOf(end)
  loaded.parts.set(clusterId, { key: clusterId, level: 'cluster', parents: [INSTALLATION] })
  add(loaded.daily, await loadPartCosts(tx, await loadCover(tx, clusterId, { from, to: end }), 'day'))
  const lastDay = await loadHourlyCover(tx, clusterId, { from: ago(end, dayMs), to: end })
  add(loaded.trailing, await loadPartCosts(tx, lastDay, 'none'))
  const lastHours = await loadHourlyCover(tx, clusterId, { from: ago(end, 3 * hourMs), to: end })
  add(loaded.hourly, await loadPartCosts(tx, lastHours, 'hour'))
  const hours = await listDayHours(tx, clusterId, { from, to: end })
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
  return { tree: partTree([...loaded.parts.values()]), days, recent }
}
