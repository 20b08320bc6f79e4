import { decimal, groupBy, type Decimal } from '@plimsoll/engine'
import type { ClusterRow } from '../clusters/index.ts'
import type { Caller } from '../platform/auth/caller.ts'
import type { Db } from '../platform/db/database.ts'
import { listStanding, listSteps, type StepRow } from '../recommendations/index.ts'
import type { LoadedPlan, LoadedStep } from './present-plan.ts'
import { countStatuses, listMembers, listPlans, sumMembers } from './queries/plans.ts'
import type { StatusCounts } from './step-status.ts'

const idsOf = (rows: readonly ClusterRow[]) => rows.map(({ cluster_id: id }) => id)

/** The steps of the clusters, without their recommendations. */
export async function loadSteps(db: Db, rows: readonly ClusterRow[], { namespaces }: Caller): Promise<LoadedPlan[]> {
  const ids = idsOf(rows)
  const visible = (await listSteps(db, ids, namespaces)).filter((step) => namespaces === null || step.visible > 0)
  const stepIds = visible.map(({ step_id: id }) => id)
  const countsOf = await loadCounts(db, ids, stepIds, namespaces)
  const sums = new Map((await sumMembers(db, ids, stepIds, namespaces)).map((sum) => [sum.step_id, sum]))
  const steps = visible.map((step): LoadedStep => ({
    ...{ step, counts: countsOf(step).counts, sum: sums.get(step.step_id), members: [] },
  }))
  return withPlans(db, rows, steps)
}

/** The same without sums over recommendations, for a role that sees whole clusters. */
export async function loadStepCounts(db: Db, rows: readonly ClusterRow[]): Promise<LoadedPlan[]> {
  const ids = idsOf(rows)
  const standing = await listStanding(db, ids)
  const stepIds = standing.map(({ step_id: id }) => id)
  const countsOf = await loadCounts(db, ids, stepIds, null)
  const ofCluster = groupBy(standing, ({ cluster_id: id }) => id)
  const steps = standing.map((step): LoadedStep => {
    const { counts, counted } = countsOf(step)
    const members = Object.values(counts).reduce((sum, count) => sum + count, 0)
    const of = ofCluster.get(step.cluster_id)?.length ?? 0
    const row: StepRow = { ...step, of, members, visible: members, counted, visible_share: step.savings }
    return { step: row, counts, sum: undefined, members: [] }
  })
  return withPlans(db, rows, steps)
}

async function loadCounts(
  db: Db,
  clusterIds: readonly string[],
  stepIds: readonly string[],
  namespaces: Caller['namespaces'],
) {
  const found = groupBy(await countStatuses(db, clusterIds, stepIds, namespaces), ({ step_id: id }) => id)
  return ({ step_id: id }: { step_id: string }): { counts: StatusCounts; counted: number } => {
    const own = found.get(id) ?? []
    return {
      counts: Object.fromEntries(own.map(({ status, count }) => [status, count])),
      counted: own.reduce((sum, each) => sum + each.counted, 0),
    }
  }
}

async function withPlans(db: Db, rows: readonly ClusterRow[], steps: readonly LoadedStep[]): Promise<LoadedPlan[]> {
  const plans = new Map((await listPlans(db, idsOf(rows))).map((plan) => [plan.cluster_id, plan]))
  const byCluster = groupBy(steps, ({ step }) => step.cluster_id)
  return rows.map((row) => ({
    cluster: { id: row.cluster_id, name: row.name, runRate: runRate(row) },
    plan: plans.get(row.cluster_id),
    steps: byCluster.get(row.cluster_id) ?? [],
  }))
}

const runRate = ({ monthly_cost: usd }: ClusterRow): Decimal | null => (Number(usd) > 0 ? decimal(String(usd)) : null)

export async function loadMembers(db: Db, steps: readonly LoadedStep[], { namespaces }: Caller): Promise<LoadedStep[]> {
  if (steps.length === 0) return []
  const clusterIds = [...new Set(steps.map(({ step }) => step.cluster_id))]
  const stepIds = steps.map(({ step }) => step.step_id)
  const members = groupBy(await listMembers(db, clusterIds, stepIds, namespaces), ({ step_id: id }) => id)
  return steps.map((each) => ({ ...each, members: members.get(each.step.step_id) ?? [] }))
}
