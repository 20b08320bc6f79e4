/**
 * Response times for many open recommendations of a cluster, and the time of an analysis that finds them all again.
 *
 * npm run bench:recommendations -- --open 30000
 */
import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { NO_EVIDENCE, type Evidence, type RuleFinding } from '../packages/engine/src/rules/index.ts'
import { buildApp } from '../packages/server/src/app.ts'
import type { Db } from '../packages/server/src/platform/db/database.ts'
import { benchCluster, benchDeps, benchKey, withBenchDatabase, type BenchDatabase } from './lib/bench-app.ts'
import { percentile } from './lib/bench-server.ts'
import { findingOf, store } from './lib/many-findings.ts'
import { printPace } from './lib/pace.ts'

const { values } = parseArgs({
  options: { open: { type: 'string', default: '30000' }, runs: { type: 'string', default: '200' } },
})
const open = Number(values.open)
const runs = Number(values.runs)
const now = new Date('2026-03-01T12:00:00Z')

/** Evidence of the maximum size: two weeks of hours and 64 candidates. One in a hundred has it, to save disk space. */
const band = (hours: number) => {
  const values = Array.from({ length: hours }, (_, hour) => 100 + ((hour * 37) % 200))
  return { p50: values, p90: values.map((value) => value * 2), max: values.map((value) => value * 3) }
}
const short = { minutesShort: 12, volumeShort: 0.01, oomDays: 0 }
const evidence: Evidence = {
  ...NO_EVIDENCE,
  window: { from: 1_770_000_000, to: 1_770_000_000 + 336 * 3600 },
  hourlyCpuMillicores: band(336),
  hourlyMemoryKib: band(336),
  candidates: Array.from({ length: 64 }, (_, index) => ({
    ...short,
    spec: { cpuMillicores: 10 * index, memoryKib: 1024 * index },
    estimatedUsdPerMonth: 64 - index,
  })),
}

await withBenchDatabase(measure)

async function measure(bench: BenchDatabase): Promise<void> {
  const { db } = bench
  const deps = await benchDeps(bench, now)
  const clusterId = await benchCluster(db, now)
  const headers = await benchKey(deps)

  const findings = Array.from({ length: open }, (_, index) => withEvidence(index))
  console.log(`${open} open recommendations in one cluster`)
  await report('an analysis that finds them first', () => store(db, clusterId, findings, now))
  await report('an analysis that finds them again', () => store(db, clusterId, findings, now))
  await report('an analysis that finds other savings', () => store(db, clusterId, findings.map(dearer), now))
  await sql`vacuum analyze`.execute(db)

  const [first] = await db
    .selectFrom('recommendation')
    .select('recommendation_id as id')
    .where('workload_name', '=', 'workload-0')
    .execute()
  const app = await buildApp(deps)
  const list = `/api/v1/recommendations?cluster_id=${clusterId}`
  const requests: [name: string, url: string, aim: string][] = [
    ['list, pending', `${list}&status=pending`, 'p99 < 30 ms'],
    ['list, every status', list, 'p99 < 30 ms'],
    ['list, whole fleet', '/api/v1/recommendations?status=pending', ''],
    ['list, by bankable savings', `${list}&status=pending&sort=-bankable_savings`, 'p99 < 30 ms'],
    ['list, by severity', `${list}&status=pending&sort=-severity`, 'p99 < 30 ms'],
    ['list, newest first', `${list}&status=pending&sort=-created_at`, 'p99 < 30 ms'],
    ['list, one namespace', `${list}&status=pending&namespace=ns-7`, 'p99 < 30 ms'],
    ['list, a part of a name', `${list}&status=pending&text=workload-123`, 'p99 < 30 ms'],
    [
      'list, category, severity, risk, savings',
      `${list}&category=cpu_memory&severity=high&risk=low&min_savings=10`,
      'p99 < 30 ms',
    ],
    ['one with evidence', `/api/v1/recommendations/${first?.id}`, 'p99 < 50 ms'],
    ['summary', `/api/v1/clusters/${clusterId}/summary`, ''],
    ['savings by month, namespace, rule', `/api/v1/savings?cluster_id=${clusterId}&by=month,namespace,rule`, ''],
  ]
  printPace()
  for (const [name, url, aim] of requests) {
    const times: number[] = []
    const [cpu, before] = [process.cpuUsage(), await databaseCpuMs(db)]
    for (let run = 0; run < runs; run += 1) {
      const start = performance.now()
      const response = await app.inject({ url, headers })
      if (response.statusCode !== 200) throw new Error(`${url}: ${response.body}`)
      times.push(performance.now() - start)
    }
    const { user, system } = process.cpuUsage(cpu)
    times.sort((a, b) => a - b)
    const at = (share: number) => percentile(times, share).toFixed(1)
    const own = ((user + system) / 1000 / runs).toFixed(1)
    const theirs = (((await databaseCpuMs(db)) - before) / runs).toFixed(1)
    console.log(
      `${name.padEnd(42)} p50 ${at(0.5).padStart(6)}  p99 ${at(0.99).padStart(6)} ms  CPU server ${own.padStart(5)}, database ${theirs.padStart(5)} ms  ${aim}`,
    )
  }
  printPace()
  await app.close()
}

/** CPU time of all database backends on Linux, otherwise 0. More reliable than elapsed time on a busy machine. */
async function databaseCpuMs(db: Db): Promise<number> {
  const backends = sql<{ pid: number }>`select pid from pg_stat_activity where backend_type = 'client backend'`
  const { rows } = await backends.execute(db)
  const ticks = await Promise.all(
    rows.map(async ({ pid }) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      const [user = 0, system = 0] = stat.split(' ').slice(13, 15).map(Number)
      return user + system
    }),
  )
  return 10 * ticks.reduce((sum, each) => sum + each, 0)
}

async function report(name: string, work: () => Promise<unknown>): Promise<void> {
  const [start, cpu] = [performance.now(), process.cpuUsage()]
  await work()
  const { user, system } = process.cpuUsage(cpu)
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(
    `${name.padEnd(42)} ${seconds.padStart(6)} s  of which server CPU ${((user + system) / 1e6).toFixed(1)} s`,
  )
}

function withEvidence(index: number): RuleFinding {
  return { ...findingOf(index), evidence: index % 100 === 0 ? evidence : NO_EVIDENCE }
}

function dearer(finding: RuleFinding): RuleFinding {
  return { ...finding, estimatedUsdPerMonth: finding.estimatedUsdPerMonth + 1 }
}
