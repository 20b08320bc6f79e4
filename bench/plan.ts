// Time of a plan, from packing to steps: npm run bench:plan [share …] The largest cluster has 5,000 nodes, 150,000 pods
// and about 30,000 workloads. Packing with the current requests comes first and is part of every analysis; the figures
// are CPU seconds and memory of the plan alone. The second plan keeps the steps of the first.
import { decimal, roundDecimal } from '../packages/engine/src/index.ts'
import { packCluster } from '../packages/engine/src/packing/index.ts'
import { planCluster, type PlanItem } from '../packages/engine/src/plan/index.ts'
import { printPace } from './lib/pace.ts'
import { makeCluster } from './packing-cluster.ts'

const shares = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [0.1, 1]
const AIMS: Readonly<Record<string, string>> = { 500: '< 0.5 s', 5000: '< 10 s, < 300 MiB' }

type Measured<Value> = { value: Value; seconds: number; mib: number }

function measure<Value>(work: () => Value): Measured<Value> {
  globalThis.gc?.()
  const memory = process.memoryUsage()
  const before = process.cpuUsage()
  const value = work()
  const { user, system } = process.cpuUsage(before)
  const after = process.memoryUsage()
  const mib = (after.heapUsed + after.arrayBuffers - memory.heapUsed - memory.arrayBuffers) / 2 ** 20
  return { value, seconds: (user + system) / 1e6, mib }
}

function itemsOf({ proposals, cluster }: ReturnType<typeof makeCluster>): PlanItem[] {
  const changed = proposals.map(({ id, changes }, index): PlanItem => {
    const [change] = changes
    const workload = change?.kind === 'resize' ? change.workload : ''
    const namespace = workload.split('/')[0] ?? ''
    return {
      ...{ key: id, role: 'resize', changes, namespace, workload, team: namespace, nodes: [], title: id },
      ownUsdPerMonth: 0n,
      estimatedUsdPerMonth: decimal(String(1 + (index % 40))),
      risk: index % 9 === 0 ? 'medium' : 'low',
      isStateful: index % 25 === 0,
      verb: 'Lower',
      noun: ['request', 'requests'],
    }
  })
  const drain = { key: 'drain', role: 'drain' as const, changes: [], nodes: cluster.nodes.map(({ name }) => name) }
  return [
    ...changed,
    {
      ...{ ...drain, ownUsdPerMonth: 0n, estimatedUsdPerMonth: 0n, risk: 'low', namespace: '', workload: '', team: '' },
      ...{ isStateful: false, verb: 'Lower', noun: ['node', 'nodes'], title: 'Drain nodes' },
    },
  ]
}

console.log(
  '  nodes     pods   workloads   changes   steps   nodes gone   USD/month   first plan   plan after it     MiB   aim',
)
printPace()
for (const share of shares) {
  const made = makeCluster(share)
  const { cluster } = made
  const items = itemsOf(made)
  const packing = packCluster(cluster)
  let steps = 0
  const input = { items, runRateUsdPerMonth: null, newId: () => `stp_${(steps += 1)}` }
  const first = measure(() => planCluster(packing, input))
  const again = measure(() => planCluster(packing, { ...input, previous: first.value.steps }))
  const ofFirst = new Map(first.value.steps.map(({ id, usdPerMonth }) => [id, usdPerMonth]))
  const stood = again.value.steps.filter(({ id, usdPerMonth }) => ofFirst.get(id) === usdPerMonth).length
  console.log(
    [
      String(cluster.nodes.length).padStart(7),
      String(cluster.pods.length).padStart(9),
      String(new Set(cluster.pods.map(({ workload }) => workload)).size).padStart(10),
      String(items.length).padStart(10),
      String(first.value.steps.length).padStart(8),
      String(first.value.steps.reduce((sum, { nodes }) => sum + nodes.length, 0)).padStart(12),
      roundDecimal(first.value.usdPerMonth, 0).padStart(11),
      `${first.seconds.toFixed(2)} s`.padStart(12),
      `${again.seconds.toFixed(2)} s`.padStart(15),
      String(Math.round(Math.max(first.mib, again.mib))).padStart(8),
      `  ${AIMS[cluster.nodes.length] ?? ''}`,
    ].join(' '),
  )
  console.log(
    `          ${stood} of ${first.value.steps.length} steps stand in the plan after it; limits: ${first.value.bounds.join(', ') || 'none'}`,
  )
}
