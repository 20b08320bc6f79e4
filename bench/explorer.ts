// Response times of the explorer: npm run bench:explorer [scale]
// Scale 1 is 150,000 pods: 5,000 nodes, 30,000 workloads and 200 namespaces, with 62 days. Each request compares 30 days
// with the 30 days before. The requests go through the whole application, one after the other. The last line is the
// same request without running totals, when each day is read.
import { sql } from 'kysely'
import { buildApp } from '../packages/server/src/app.ts'
import { percentile } from './lib/bench-server.ts'
import { scaleArgument, timed, withLargeCluster, type LargeCluster } from './lib/large-cluster.ts'

const AIM_MS = 500
const DAYS = 62

await withLargeCluster(scaleArgument(), 'viewer', measure, DAYS)

async function measure({ bench, deps, clusterId, headers, size, filledMs }: LargeCluster): Promise<void> {
  console.log(`filled in ${(filledMs / 1000).toFixed(0)} s: ${JSON.stringify(size)}`)
  const app = await buildApp(deps)
  const of = `/api/v1/allocation?cluster_id=${clusterId}&from=2026-05-31T00:00:00Z&to=2026-06-30T00:00:00Z&compare=previous&limit=100`
  const requests: [name: string, query: string][] = [
    ['by namespace', 'group_by=namespace'],
    ['by label with 20 values', 'group_by=label:team'],
    ['by label with a value per workload', 'group_by=label:app'],
    ['by label, then namespace', 'group_by=label:team,namespace'],
    ['by namespace, filtered by label', 'group_by=namespace&label=team=team-3'],
    ['by label, with the chart', 'group_by=label:team&trend=day'],
  ]
  const measureOne = async (name: string, query: string) => {
    const times: number[] = []
    for (let run = 0, spent = 0; run < 3 || (run < 100 && spent < 20_000); run += 1) {
      const ms = await timed(async () => {
        const response = await app.inject({ url: `${of}&${query}`, headers })
        if (response.statusCode !== 200) throw new Error(`${query}: ${response.body}`)
      })
      times.push(ms)
      spent += ms
    }
    print(name, times)
  }
  for (const [name, query] of requests) await measureOne(name, query)
  await sql`update folded_day set running_since = null`.execute(bench.db)
  await measureOne('by label with 20 values, day by day', 'group_by=label:team')
  await app.close()
}

function print(name: string, times: number[]): void {
  const first = times[0] ?? 0
  times.sort((a, b) => a - b)
  const at = (share: number) => percentile(times, share).toFixed(0).padStart(6)
  console.log(
    `${name.padEnd(40)} first ${first.toFixed(0).padStart(6)}  least ${at(0)}  p50 ${at(0.5)}  p99 ${at(0.99)} ms, aim ${AIM_MS} ms`,
  )
}
