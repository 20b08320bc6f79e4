// The time to compute bankable savings: npm run bench:packing [share …]
// The largest cluster is 150,000 pods on 5,000 nodes. One call finds the removable nodes with the current and with the
// proposed requests. Results are CPU seconds of this process.
import { bankableSavings } from '../packages/engine/src/testing/index.ts'
import { roundDecimal } from '../packages/engine/src/index.ts'
import { cheapestNodeSet } from '../packages/engine/src/packing/index.ts'
import { printPace } from './lib/pace.ts'
import { makeCluster, nodeTypes, zones } from './packing-cluster.ts'

const shares = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [0.1, 0.5, 1]

function cpuSeconds<Value>(work: () => Value): { value: Value; seconds: number } {
  const before = process.cpuUsage()
  const value = work()
  const { user, system } = process.cpuUsage(before)
  return { value, seconds: (user + system) / 1e6 }
}

console.log(
  '  nodes     pods   proposals   present    both questions   freed now   freed more   USD/month more   peak MiB',
)
printPace()
for (const share of shares) {
  const { cluster, proposals } = makeCluster(share)
  const present = cpuSeconds(() => bankableSavings(cluster, []))
  const both = cpuSeconds(() => bankableSavings(cluster, [proposals]))
  const joint = both.value.joint[0]
  console.log(
    [
      String(cluster.nodes.length).padStart(7),
      String(cluster.pods.length).padStart(9),
      String(proposals.length).padStart(10),
      `${present.seconds.toFixed(2)} s`.padStart(11),
      `${both.seconds.toFixed(2)} s`.padStart(16),
      String(both.value.present.freed.length).padStart(12),
      String(joint?.freed.length ?? 0).padStart(12),
      roundDecimal(joint?.usdPerMonth ?? 0n, 0).padStart(17),
      String(Math.round(process.memoryUsage().rss / 2 ** 20)).padStart(11),
    ].join(' '),
  )
}

console.log('\n  nodes     pods   cheapest set   USD/hour now   of the set   lower bound   nodes of the set')
for (const share of shares) {
  const { cluster } = makeCluster(share)
  const set = cpuSeconds(() => cheapestNodeSet(cluster, nodeTypes, { zones }))
  const now = cluster.nodes.reduce((sum, { usdPerHour }) => sum + (usdPerHour === 'unpriced' ? 0n : usdPerHour), 0n)
  console.log(
    [
      String(cluster.nodes.length).padStart(7),
      String(cluster.pods.length).padStart(9),
      `${set.seconds.toFixed(2)} s`.padStart(14),
      roundDecimal(now, 0).padStart(14),
      roundDecimal(set.value.usdPerHour, 0).padStart(12),
      roundDecimal(set.value.lowerBoundUsdPerHour, 0).padStart(13),
      String(set.value.nodes.reduce((sum, { count }) => sum + count, 0)).padStart(18),
    ].join(' '),
  )
}
