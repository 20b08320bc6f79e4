import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { Db } from '../../platform/db/database.ts'
import { tryLockFold } from '../queries/fold-queue.ts'
import { lockLiveCluster } from '../../clusters/index.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { foldLater } from '../fold-later.ts'
import { recordEvents } from '../../platform/events.ts'
import type { RatedHour, WrittenHour } from '../queries/hours.ts'
import type { FoldedHour } from '@plimsoll/pipeline/fold'
import type { RatesAt } from '../../prices/index.ts'

/** Shared by the fold of live data and of backfill. */

export const inflate = promisify(gunzip)

/** The holder of the lock may sum days or reprice, and does not look for new batches. */
const lockedSeconds = 2

/** Whether the cluster exists and is locked for this fold; if another process holds it, the fold is retried later. */
export async function lockOrTryLater(tx: Db, clusterId: string): Promise<boolean> {
  if (await tryLockFold(tx, clusterId)) return (await lockLiveCluster(tx, clusterId)) !== undefined
  await foldLater(tx, clusterId, { delaySeconds: lockedSeconds })
  return false
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
