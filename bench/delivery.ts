// Kills the sender of queued messages while a receiver fails 40 % of the requests, and counts lost messages:
//   npm run bench:delivery [events] [kills] [seed]
import { outOfOrder, runDeliveryRounds } from '../packages/server/test/delivery-rounds.ts'
import { withBenchDatabase } from './lib/bench-app.ts'

const [events, kills, seed] = [process.argv[2] ?? 10_000, process.argv[3] ?? 100, process.argv[4] ?? 1].map(Number) as [
  number,
  number,
  number,
]

await withBenchDatabase(async (bench) => {
  const started = performance.now()
  const report = await runDeliveryRounds(bench, { seed, events, kills, keys: 200, failingShare: 0.4 })
  const all = [...report.accepted, ...report.acceptedLater]
  const lost = events - new Set(all.map(({ number }) => number)).size
  const wrong = outOfOrder(report.accepted).length
  console.log(`${events} messages, ${report.requests} requests, sender killed ${report.kills} times`)
  console.log(`${lost} lost, ${wrong} out of order, ${all.length - events + lost} sent twice with the same id`)
  console.log(`${report.redelivered} dead after ten tries and redelivered; states: ${JSON.stringify(report.states)}`)
  console.log(`${((performance.now() - started) / 1000).toFixed(0)} s`)
  process.exitCode = lost === 0 && wrong === 0 ? 0 : 1
})
