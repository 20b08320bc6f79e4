import { holderFlags } from '../clusters/index.ts'
import type { Db } from '../platform/db/database.ts'
import { enqueue } from '../platform/jobs/job-queue.ts'

type FoldLater = {
  delaySeconds?: number
  /** Lets every replica take the job, also while the replica that holds the state runs. */
  anywhere?: boolean
}

/** A waiting fold keeps its place: otherwise each new batch of a busy cluster would delay the fold. */
export const foldLater = (tx: Db, clusterId: string, { delaySeconds = 0, anywhere = false }: FoldLater = {}) =>
  enqueue(
    tx,
    'fold',
    { clusterId },
    { delaySeconds, keepsPlace: true, ...(anywhere ? {} : { flags: holderFlags(clusterId) }) },
  )
