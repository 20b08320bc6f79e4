// Response times over 30 days of one large cluster: npm run bench:answers [scale]
// Scale 1 is 5,000 nodes, 30,000 workloads and 200 namespaces. SQL generates the stored sums. The requests go through
// the whole application, with authentication and limits, one after the other.
import { buildApp } from '../packages/server/src/app.ts'
import { percentile } from './lib/bench-server.ts'
import { scaleArgument, timed, withLargeCluster, type LargeCluster } from './lib/large-cluster.ts'

await withLargeCluster(scaleArgument(), 'viewer', measure)

async function measure({ deps, clusterId, headers, size, filledMs, summedUpMs }: LargeCluster): Promise<void> {
  console.log(`filled in ${(filledMs / 1000).toFixed(0)} s: ${JSON.stringify(size)}`)
  console.log(`${'sums of one hour, on write'.padEnd(52)} ${summedUpMs.toFixed(0).padStart(7)} ms`)

  const app = await buildApp(deps)
  const of = `/api/v1/clusters/${clusterId}`
  const allocation = `/api/v1/allocation?cluster_id=${clusterId}`
  const changes = `/api/v1/changes?cluster_id=${clusterId}&window=7d`
  const requests: [name: string, url: string, aim: string][] = [
    ['idle costs, 30 days', `/api/v1/idle-costs?cluster_id=${clusterId}&window=30d`, 'p99 < 20 ms'],
    ['summary, 30 days', `${of}/summary?window=30d`, 'p99 < 20 ms'],
    ['summary, 7 days', `${of}/summary`, ''],
    ['allocation by namespace, 7 days', `${allocation}&window=7d`, 'p99 < 200 ms'],
    ['allocation by namespace, 30 days', `${allocation}&window=30d`, 'p99 < 1 s'],
    ['allocation by namespace, 30 days, idle shared', `${allocation}&window=30d&share_idle=proportional`, ''],
    ['allocation by namespace, 30 days, daily', `${allocation}&window=30d&step=day`, ''],
    ['allocation by label, 7 days', `${allocation}&window=7d&by=label:team`, ''],
    ['allocation by node pool, 30 days', `${allocation}&window=30d&by=node_pool`, ''],
    ['changes by namespace, 7 days against 7', `${changes}&by=namespace`, ''],
    ['changes by workload, 7 days against 7', `${changes}&by=workload`, ''],
    ['workloads, 7 days, first page', `${of}/workloads`, ''],
    ['nodes, 7 days, first page', `${of}/nodes`, ''],
    ['data quality, 30 days', `${of}/data-quality?window=30d`, ''],
    ['explain the total, 30 days', `${of}/explain?window=30d`, ''],
  ]
  for (const [name, url, aim] of requests) {
    const times: number[] = []
    let bytes = 0
    for (let run = 0, spent = 0; run < 3 || (run < 100 && spent < 10_000); run += 1) {
      const ms = await timed(async () => {
        const response = await app.inject({ url, headers })
        if (response.statusCode !== 200) throw new Error(`${url}: ${response.body}`)
        bytes = response.rawPayload.length
      })
      times.push(ms)
      spent += ms
    }
    const first = times[0] ?? 0
    times.sort((a, b) => a - b)
    const at = (share: number) => percentile(times, share).toFixed(0)
    console.log(
      `${name.padEnd(52)} first ${first.toFixed(0).padStart(6)}  p50 ${at(0.5).padStart(6)}  p99 ${at(0.99).padStart(6)} ms  ` +
        `${String(Math.round(bytes / 1024)).padStart(5)} KiB  ${aim}`,
    )
  }
  await app.close()
}
