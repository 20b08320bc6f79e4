import { FoldLease } from './ingest/jobs/fold-lease.ts'
import { jobConnections, startJobs } from './job-handlers.ts'
import { backgroundConnectMsMax, openDatabase, openPool } from './platform/db/database.ts'
import type { CostDeps } from './costs/index.ts'

type RunJobs = {
  databaseUrl: string
  /** The name under which this replica holds fold states. */
  holder: string
}

/** The queue and the jobs have separate connections: a long job must not delay requests. */
export async function runJobs(deps: CostDeps, { databaseUrl, holder }: RunJobs): Promise<() => Promise<void>> {
  const limits = { connectionsMax: jobConnections, connectMsMax: backgroundConnectMsMax }
  const pool = openPool(databaseUrl, limits, deps.log)
  const db = openDatabase(pool)
  let lease: FoldLease | undefined
  try {
    lease = await FoldLease.take({ db, holder, log: deps.log })
    const taken = lease
    const jobs = await startJobs({ ...deps, db }, pool, { lease })
    return async () => {
      // Not after the jobs: until a long one ends, no other replica would fold the clusters of this one.
      await Promise.all([taken.release(), jobs.stop()])
      await pool.end()
    }
  } catch (error) {
    await lease?.release()
    await pool.end()
    throw error
  }
}
