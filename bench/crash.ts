// Kills the server and PostgreSQL while an agent reports, and compares the stored data:
//   npm run bench:crash [rounds] [seed]
import { isDeepStrictEqual } from 'node:util'
import { runCrashRounds } from '../packages/server/test/crash-rounds.ts'

const rounds = Number(process.argv[2] ?? 200)
const seed = Number(process.argv[3] ?? 1)
const started = performance.now()
const { kills, pairs } = await runCrashRounds({
  seed,
  rounds,
  onRound: (round, kind) => {
    if (round % 20 === 0) console.log(`round ${round}: ${kind}`)
  },
})
const equal = pairs.filter(({ crashed, calm }) => isDeepStrictEqual(crashed, calm)).length
const rows = pairs.reduce((sum, { calm }) => sum + calm.length, 0)
console.log(`killed with SIGKILL, at seeded statements: ${JSON.stringify(kills)}`)
console.log(
  `${equal} of ${pairs.length} clusters have the same integers as in a run without crashes (${rows} rows compared)`,
)
console.log(`${((performance.now() - started) / 1000).toFixed(0)} s`)
process.exitCode = equal === pairs.length ? 0 : 1
