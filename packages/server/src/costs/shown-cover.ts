import type { DataStatus } from '@plimsoll/contract'
import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import { type CoveredHours, findOpenHour, loadCover, type OpenHour } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import { dataStatus } from './data-status.ts'
import { hoursIn, type HourWindow } from './parse-window.ts'

/** `asOf` is the end of the newest complete hour, or the end of the figures of the open hour. */
export type ShownCover = CoveredHours & { secondsWithData: number; openHour: OpenHour | null }

/** The complete hours of the window. While a cluster has none of them, its open hour. */
export async function loadShownCover(tx: Db, clusterId: string, window: HourWindow): Promise<ShownCover> {
  const cover = await loadCover(tx, clusterId, window)
  const open = cover.hoursWithData === 0 ? await findOpenHour(tx, clusterId) : undefined
  if (!open || !isIn(window, open.hour))
    return { ...cover, secondsWithData: cover.hoursWithData * SECONDS_PER_HOUR, openHour: null }
  const secondsWithData = (open.through.getTime() - open.from.getTime()) / 1000
  return { ...cover, hours: [open.hour], asOf: open.through, secondsWithData, openHour: open }
}

/** Named windows end where the open hour begins. */
const isIn = ({ name, from, to }: HourWindow, hour: Date) =>
  hour >= from && (name === 'custom' ? hour < to : hour <= to)

type Coverage = { status: DataStatus; hoursWithData: number }

type KnownHours = Pick<ShownCover, 'clusterId' | 'hoursWithData' | 'openHour'>

/**
 * The clusters whose gaps make two windows incomparable: those with data in the earlier window. A cluster without data there
 * is new, or silent in both windows.
 */
export const comparedClusters = (before: readonly KnownHours[]): ReadonlySet<string> =>
  new Set(before.filter(hasHours).map(({ clusterId }) => clusterId))

const hasHours = ({ hoursWithData, openHour }: KnownHours) => hoursWithData > 0 || openHour !== null

/** Of several clusters: complete when each of them is. The hours with data are the mean of the compared clusters. */
export function coverageOf(
  covers: readonly KnownHours[],
  window: HourWindow,
  compared: ReadonlySet<string> = new Set(),
): Coverage {
  const sum = sumHours(covers)
  const counted = compared.size === 0 ? covers : covers.filter(({ clusterId }) => compared.has(clusterId))
  const hoursWithData = counted.length === 0 ? 0 : sumHours(counted) / counted.length
  if (covers.some(({ openHour }) => openHour !== null)) return { status: 'partial', hoursWithData }
  const hours = covers.length * hoursIn(window)
  return { status: dataStatus({ hours, hoursWithData: sum }, { isCollecting: false }), hoursWithData }
}

const sumHours = (covers: readonly KnownHours[]) => covers.reduce((hours, cover) => hours + cover.hoursWithData, 0)

/** The partial state in answers. */
export const presentPartial = (covers: readonly Pick<ShownCover, 'clusterId' | 'asOf' | 'openHour'>[]) => {
  const newest = covers.flatMap(({ asOf }) => asOf?.getTime() ?? []).sort((a, b) => b - a)[0]
  const open = covers.filter(({ openHour }) => openHour !== null)
  return {
    partial: open.length > 0,
    partial_cluster_ids: open.map(({ clusterId }) => clusterId),
    as_of: newest === undefined ? null : new Date(newest).toISOString(),
  }
}
