import { sumUpHours } from '../../packages/server/src/ingest/queries/rollups.ts'
import type { AppDeps } from '../../packages/server/src/app.ts'
import { benchCluster, benchDeps, benchKey, withBenchDatabase, type BenchDatabase } from './bench-app.ts'
import { fillDays, hourlyHours, type FilledSize } from './fill-days.ts'

export type LargeCluster = {
  bench: BenchDatabase
  deps: AppDeps
  clusterId: string
  /** The key of a user with the role, as a request header. */
  headers: Record<string, string>
  size: FilledSize
  now: Date
  filledMs: number
  /** The time to sum up one hour when it is written. */
  summedUpMs: number
}

const now = new Date('2026-06-30T13:20:00Z')

/** The first argument of a bench. Scale 1 is 150,000 pods: 5,000 nodes, 30,000 workloads and 200 namespaces. */
export const scaleArgument = () => Number(process.argv[2] ?? 1)

/** Some days of one cluster, written to a new database in SQL, and the dependencies of the application. */
export function withLargeCluster(
  scale: number,
  role: 'admin' | 'viewer',
  work: (cluster: LargeCluster) => Promise<void>,
  days = 31,
): Promise<void> {
  const size = {
    days,
    nodes: Math.ceil(5000 * scale),
    workloads: Math.ceil(30_000 * scale),
    namespaces: Math.ceil(200 * Math.sqrt(scale)),
  }
  return withBenchDatabase(async (bench) => {
    const { db } = bench
    const deps = await benchDeps(bench, now)
    const clusterId = await benchCluster(db, now)
    const headers = await benchKey(deps, role)
    const filledMs = await timed(() => fillDays(db, clusterId, size, now))
    const hour = hourlyHours(now).at(-1) ?? now
    const summedUpMs = await timed(() => db.transaction().execute((tx) => sumUpHours(tx, clusterId, [hour])))
    try {
      await work({ bench, deps, clusterId, headers, size, now, filledMs, summedUpMs })
    } finally {
      await deps.figuring.close()
    }
  })
}

export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
