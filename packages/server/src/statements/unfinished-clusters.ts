import { dayMs, hourMs } from '@plimsoll/engine'
import type { Db } from '../platform/db/database.ts'
import type { HourWindow } from '../costs/index.ts'
import { listUnfinishedClusters, noteWaiting, type UnfinishedCluster } from './queries/sending.ts'

/** Agents reconnect within minutes after an outage. A cluster that is silent for longer delays no statements. */
const reconnectMs = 2 * hourMs

/** The hours of the month count as final when none of them changed for this time. */
const quietMs = 2 * hourMs

/** Statements are sent after this time, whatever is missing. */
const waitMsMax = 3 * dayMs

/** `isWaiting`: the statements wait for the clusters. Otherwise they are sent without the missing data. */
export type Unfinished = { readonly isWaiting: boolean; readonly clusters: number }

/** Right after an outage, agents still send buffered data of the month. */
export async function findUnfinished(db: Db, month: Pick<HourWindow, 'from' | 'to'>, now: Date): Promise<Unfinished> {
  const waitingMs = now.getTime() - (await noteWaiting(db, now)).getTime()
  const clusters = await listUnfinishedClusters(db, month, new Date(now.getTime() - quietMs))
  const isWaiting =
    waitingMs < waitMsMax && clusters.some((cluster) => waitingMs < reconnectMs || isSending(cluster, now))
  return { isWaiting, clusters: clusters.length }
}

function isSending({ seenAt, writtenAt }: UnfinishedCluster, now: Date): boolean {
  const newest = Math.max(seenAt?.getTime() ?? 0, writtenAt?.getTime() ?? 0)
  return now.getTime() - newest < quietMs
}
