import type { FoldedHour } from '@plimsoll/pipeline/fold'
import type { PriceTerms } from '@plimsoll/pipeline/prices'
import type { Db } from '../../platform/db/database.ts'
import { ensureDay } from '../../platform/db/partitions.ts'
import type { Deps } from '../../platform/deps.ts'
import { recordEvents } from '../../platform/events.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { ensureRates, type RatesAt } from '../../prices/index.ts'
import { writeHour, type RatedHour, type WrittenHour } from '../queries/hours.ts'
import { clearOpenHour } from '../queries/open-hour.ts'
import { startOfDay } from '../queries/rollups.ts'
import { noteClasses } from './note-classes.ts'

const hourTables = ['workload_hour', 'node_hour', 'asset_hour', 'usage_hour', 'usage_histogram', 'pod_hour'] as const

/**
 * Writes the hours that `finaliseHour` of the pipeline computed. Partitions and rates are created outside the
 * transaction, because other clusters need them too.
 */
export async function writeFinalisedHours(
  deps: Pick<Deps, 'db' | 'log' | 'now' | 'prices'>,
  tx: Db,
  { clusterId, hours, terms }: { clusterId: string; hours: FoldedHour[]; terms: PriceTerms },
): Promise<void> {
  const ratesAt = await ensureRates(deps, terms, hours.flatMap(classesOf))
  for (const { hour } of hours) for (const table of hourTables) await ensureDay(deps.db, table, dateOf(hour))
  const rated = hours.map((folded) => ratedHour(folded, ratesAt))
  await clearOpenHour(tx, clusterId)
  const written: WrittenHour[] = []
  for (const each of rated) written.push(...(await writeHour(tx, clusterId, each, deps.now())))
  await recordFinalisedHours(tx, clusterId, written, deps.now())
  await noteClasses(tx, clusterId, rated)
  const today = startOfDay(deps.now()).getTime()
  if (hours.some(({ hour }) => dateOf(hour).getTime() < today)) await sumUpDaysLater(tx, clusterId)
}

/** Hours come in groups: each of them delays the sums of its day again. */
export async function sumUpDaysLater(tx: Db, clusterId: string): Promise<void> {
  await enqueue(tx, 'sum-up-days', { clusterId }, { delaySeconds: 120 })
}

export async function recordFinalisedHours(
  tx: Db,
  clusterId: string,
  written: readonly WrittenHour[],
  now: Date,
): Promise<void> {
  const events = written.map(({ hour, origin, revision }) => {
    const subject = { type: 'hour', id: hour.toISOString() }
    return { kind: 'hour.finalised' as const, at: now, clusterId, subject, data: { origin, revision } }
  })
  await recordEvents(tx, events)
}

/** The classes that need a rate before these hours can be written. */
export function classesOf(
  folded: Pick<FoldedHour, 'hour' | 'measured' | 'bridged' | 'cloudResources'>,
): { hour: Date; classKey: string }[] {
  const { measured, bridged, cloudResources } = folded
  const classKeys = new Set([...measured.nodes, ...bridged.nodes, ...cloudResources].map(({ classKey }) => classKey))
  return [...classKeys].map((classKey) => ({ hour: dateOf(folded.hour), classKey }))
}

export const dateOf = (hour: number) => new Date(hour * 3_600_000)

export const ratedHour = (folded: RatedHour['folded'], ratesAt: RatesAt): RatedHour => {
  const hour = dateOf(folded.hour)
  return { hour, folded, rateIds: ratesAt(hour) }
}
