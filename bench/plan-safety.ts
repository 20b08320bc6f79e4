// How often a plan leaves a pod pending, and what it promises: npm run bench:plan-safety [nodes:clusters:runs …]
// A simulated scheduler carries out each plan with random ties and random pod orders. Its random numbers and scores share no
// code with the plan, and no constant of the plan was chosen with these clusters of up to 200 nodes.
import { roundDecimal, type Decimal } from '../packages/engine/src/index.ts'
import { packCluster } from '../packages/engine/src/packing/index.ts'
import { planCluster } from '../packages/engine/src/plan/index.ts'
import { largePlanState } from '../packages/engine/test/large-plan-state.ts'
import { RandomScheduler } from '../packages/engine/test/random-scheduler.ts'

const cases =
  process.argv.length > 2 ? process.argv.slice(2) : ['20:6:40', '30:6:40', '100:4:20', '200:3:20', '500:1:20']
const FIRST_SEED = 9001

console.log('  nodes   clusters   runs   with a pending pod   USD/month   steps   nodes gone   CPU per plan')
for (const each of cases) {
  const [nodes = 30, clusters = 1, runs = 20] = each.split(':').map(Number)
  let [failed, steps, gone, seconds] = [0, 0, 0, 0]
  let usd: Decimal = 0n
  for (let seed = FIRST_SEED; seed < FIRST_SEED + clusters; seed += 1) {
    const { cluster, items } = largePlanState(nodes, seed)
    const packing = packCluster(cluster)
    let ids = 0
    const before = process.cpuUsage()
    const plan = planCluster(packing, { items, runRateUsdPerMonth: null, newId: () => `stp_${(ids += 1)}` })
    const { user, system } = process.cpuUsage(before)
    seconds += (user + system) / 1e6
    usd += plan.usdPerMonth
    steps += plan.steps.length
    gone += plan.steps.flatMap((step) => step.nodes).length
    const scheduler = new RandomScheduler(cluster)
    for (let run = 1; run <= runs; run += 1) {
      if (scheduler.carryOut(plan.steps, items, run * 7919 + seed * 104_729).length > 0) failed += 1
    }
  }
  const all = clusters * runs
  console.log(
    [
      String(nodes).padStart(7),
      String(clusters).padStart(10),
      String(all).padStart(6),
      `${failed} (${((100 * failed) / Math.max(1, all)).toFixed(1)} %)`.padStart(20),
      roundDecimal(usd, 0).padStart(11),
      String(steps).padStart(7),
      String(gone).padStart(12),
      `${(seconds / Math.max(1, clusters)).toFixed(2)} s`.padStart(14),
    ].join(' '),
  )
}
