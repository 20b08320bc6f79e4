// The CPU time and the memory of FOCUS files: npm run bench:focus [scale]
// Scale 1 is 30,000 workloads over 30 days, about two million rows. All processes count, also PostgreSQL.
import { readdirSync, readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { FocusProcess } from '../packages/server/src/exports/focus-process.ts'
import type { FocusRequest } from '../packages/server/src/exports/focus/focus-request.ts'
import { scaleArgument, withLargeCluster, type LargeCluster } from './lib/large-cluster.ts'
import { coreSecondsOfTree, line, mib } from './lib/usage.ts'

const DAYS = 30
const ROWS_AIM = 1e7
const MINUTES_AIM = 5
const MIB_AIM = 500
const sampleMs = 100

await withLargeCluster(scaleArgument(), 'viewer', async (cluster) => {
  for (const format of ['csv', 'parquet'] as const) await measure(cluster, format)
})

async function measure({ bench, deps, clusterId, now }: LargeCluster, format: FocusRequest['format']): Promise<void> {
  const exporting = new FocusProcess({ databaseUrl: bench.url, log: deps.log })
  const to = new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000)
  const request: FocusRequest = {
    ...{ version: '1.2', format, level: 'workload', step: 'day', billed: 'none', tags: ['team', 'app'] },
    ...{ from: new Date(to.getTime() - DAYS * 86_400_000), to, clusterIds: [clusterId], publicUrl: 'https://bench' },
  }
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const before = coreSecondsOfTree(process.pid)
  delay.enable()
  const { bytes, totals } = await exporting.stream(request, { callerId: 'bench', signal: new AbortController().signal })
  let size = 0
  let peak = 0
  const sampling = setInterval(() => (peak = Math.max(peak, residentBytes(exporting.pids[0]))), sampleMs)
  for await (const part of bytes) size += part.length
  clearInterval(sampling)
  delay.disable()
  const seconds = coreSecondsOfTree(process.pid) - before
  const { rows, effectiveCost } = await totals
  const minutes = ((seconds / rows) * ROWS_AIM) / 60
  console.log(`${format}: ${rows} rows, ${mib(size)}, EffectiveCost ${effectiveCost}`)
  line('rows per core-second, all processes', (rows / seconds).toFixed(0))
  line(`minutes of CPU for ${ROWS_AIM} rows, extrapolated`, minutes.toFixed(1), `aim ${MINUTES_AIM}`)
  line('peak memory of the export process', mib(peak), `aim ${MIB_AIM} MiB`)
  line('event-loop delay of the service, 99 % and longest', `${ms(delay.percentile(99))}, ${ms(delay.max)}`)
  await exporting.close()
}

function ms(nanoseconds: number): string {
  return `${(nanoseconds / 1e6).toFixed(1)} ms`
}

function residentBytes(pid: number | undefined): number {
  if (pid === undefined || !readdirSync('/proc').includes(String(pid))) return 0
  const [, kib = '0'] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) * 1024
}
