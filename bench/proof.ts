// Proves that delivery faults do not change the result:
//   npm run bench:proof [-- --size 0.01 --minutes 180 --deliveries 5]
// Three hours of 5,000 nodes with 5 % churn per hour. The same batches out of order, duplicated, under two epochs and
// with a gap of 20 minutes give the same stored rows. Also prints the cost.
import { join } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { findPostmaster } from '../packages/server/src/platform/embedded/postmaster.ts'
import { proveFold, type ProvenRun } from '../packages/server/test/prove-fold.ts'
import { fullSize } from '../packages/simulator/src/index.ts'
import { openBenchPrices, withBenchDatabase, type BenchDatabase } from './lib/bench-app.ts'
import { checkpointBytes, coreSecondsOfTree, hourTables, line, mib, tableBytes, walBytes } from './lib/usage.ts'

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '1' },
    minutes: { type: 'string', default: '180' },
    deliveries: { type: 'string', default: '5' },
  },
})
const size = Number(values.size)
const minutes = Number(values.minutes)
const deliveries = Number(values.deliveries)
const cluster = {
  ...fullSize,
  nodes: Math.max(1, Math.round(fullSize.nodes * size)),
  workloads: Math.max(1, Math.round(fullSize.workloads * size)),
}

await withBenchDatabase(prove)

async function prove({ db, log, dataDir }: BenchDatabase): Promise<void> {
  const postmaster = (await findPostmaster(join(dataDir, 'postgres')))?.pid ?? 0
  const prices = await openBenchPrices(db, new Date())
  console.log(
    `${cluster.nodes} nodes, ${cluster.nodes * cluster.podsPerNode} pods, ${cluster.workloads} workloads, ${minutes} minutes`,
  )
  const usage = async () => ({
    own: process.cpuUsage(),
    database: coreSecondsOfTree(postmaster),
    wal: await walBytes(db),
    tables: await tableBytes(db, hourTables),
  })
  let before = await usage()
  const onRun = async ({ name, batches, fingerprint }: ProvenRun) => {
    const after = await usage()
    const spent = process.cpuUsage(before.own)
    const own = (spent.user + spent.system) / 1e6
    console.log(`\n${name}: ${batches} batches, ${fingerprint.workload_hour?.rows} rows of workloads`)
    line('core-seconds per minute, folding', (own / minutes).toFixed(2), 'aim < 18, with ingest')
    line('core-seconds per minute, PostgreSQL', ((after.database - before.database) / minutes).toFixed(2))
    line('WAL per hour', mib((after.wal - before.wal) / (minutes / 60)))
    line('hour tables per hour', mib((after.tables - before.tables) / (minutes / 60)))
    line('checkpoint', mib(await checkpointBytes(db)))
    before = await usage()
  }
  const runs = await proveFold(
    { db, log, prices, onRun },
    { cluster, minutes, gap: { fromMinute: 70, minutes: 20 }, foldEvery: 1, deliveries },
  )
  const [clean] = runs
  const different = runs.filter(({ fingerprint }) => !isDeepStrictEqual(fingerprint, clean?.fingerprint))
  console.log(`\n${runs.length - different.length} of ${runs.length} deliveries give the same rows`)
  for (const { name, fingerprint } of different) console.log(`DIFFERENT: ${name} ${JSON.stringify(fingerprint)}`)
  process.exitCode = different.length === 0 ? 0 : 1
}
