// The CPU time to evaluate 1,000 budgets after a finalised hour: npm run bench:budgets [scale]
// Scale 1 is 150,000 pods: 30,000 workloads in 200 namespaces. The comparison reads the same hour once for each budget.
import { sumScopeDays } from '../packages/server/src/costs/index.ts'
import { dayNumberOf, dateOfDay } from '../packages/server/src/budgets/budget-span.ts'
import { newBudget } from '../packages/server/src/budgets/edit-budget.ts'
import { evaluateBudgets } from '../packages/server/src/budgets/index.ts'
import { insertBudget, listBudgets } from '../packages/server/src/budgets/queries/budgets.ts'
import { loadTeamMapping } from '../packages/server/src/settings/index.ts'
import { newId } from '../packages/server/src/platform/ids.ts'
import { recordEvents } from '../packages/server/src/platform/events.ts'
import { scaleArgument, withLargeCluster, type LargeCluster } from './lib/large-cluster.ts'

const BUDGETS = 1_000
const ROUNDS = 5
const SECONDS_AIM = 1
const COMPARED = 10

await withLargeCluster(scaleArgument(), 'viewer', measure)

/** Namespaces, label values and whole clusters. */
function scopeOf(index: number, clusterId: string) {
  if (index % 10 === 0) return { clusters: [clusterId] }
  if (index % 2 === 0) return { labels: [`team=team-${index % 20}`] }
  return { namespaces: [`namespace-${index % 200}`] }
}

async function measure({ deps, clusterId, size }: LargeCluster): Promise<void> {
  const { db, now, log } = deps
  for (let index = 0; index < BUDGETS; index += 1) {
    const body = { name: `budget ${index}`, period: 'month' as const, amount: 1_000, scope: scopeOf(index, clusterId) }
    await insertBudget(db, newBudget(body, newId('bud', now()), now()))
  }
  const first = await cpuSeconds(() => evaluateBudgets({ db, now, log }))
  console.log(`${BUDGETS} budgets, ${JSON.stringify(size)}; first evaluation ${first.toFixed(2)} s of CPU`)
  const times: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    await finaliseHour()
    times.push(await cpuSeconds(() => evaluateBudgets({ db, now, log })))
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0
  console.log(`after a finalised hour: ${median.toFixed(2)} s of CPU (median of ${ROUNDS}), aim ${SECONDS_AIM} s`)
  const some = (await listBudgets(db)).slice(0, COMPARED)
  const day = dateOfDay(dayNumberOf(now()))
  const rules = await loadTeamMapping(db)
  const alone = await cpuSeconds(async () => {
    for (const { scope, counts_shared: share } of some)
      await sumScopeDays(db, {
        cluster: { id: clusterId, name: 'c' },
        from: day,
        to: now(),
        scopes: [{ scope, share }],
        rules,
      })
  })
  const all = (alone / COMPARED) * BUDGETS
  console.log(`comparison, one query for each budget: ${all.toFixed(2)} s of CPU, from ${COMPARED} budgets`)
  process.exitCode = median < SECONDS_AIM ? 0 : 1

  async function finaliseHour(): Promise<void> {
    await db
      .updateTable('folded_hour')
      .set((eb) => ({ revision: eb('revision', '+', 1) }))
      .where('hour', '=', (eb) => eb.selectFrom('folded_hour').select(({ fn }) => fn.max('hour').as('hour')))
      .execute()
    const subject = { type: 'hour', id: now().toISOString() }
    await recordEvents(db, [{ kind: 'hour.finalised', at: now(), clusterId, subject }])
  }
}

/** Of this process, without PostgreSQL. */
async function cpuSeconds(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}
