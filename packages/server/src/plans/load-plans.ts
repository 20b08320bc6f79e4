import type { Plan, PlanList, UnsafeNow } from '@plimsoll/contract'
import { plannedStepsMax } from '@plimsoll/contract'
import { decimal, groupBy, roundToNumber, type Decimal } from '@plimsoll/engine'
import type { Caller } from '../platform/auth/caller.ts'
import type { ClusterRow } from '../clusters/index.ts'
import type { Db } from '../platform/db/database.ts'
import { listSteps, type StepRow } from '../recommendations/index.ts'
import { mergeSteps } from './merge-steps.ts'
import {
  presentHeader,
  presentStep,
  presentUnsafe,
  runRateOf,
  savingsOf,
  shown,
  type LoadedPlan,
  type LoadedStep,
  type PlannedCluster,
} from './present-plan.ts'
import { countStatuses, listMembers, listPlans, listUnsafe } from './queries/plans.ts'

const currency = 'USD'

export async function loadPlan(db: Db, row: ClusterRow, caller: Caller): Promise<Plan> {
  const [loaded] = await loadAll(db, [row], caller)
  if (!loaded) throw new Error('no plan was loaded')
  const members = await loadMembers(db, loaded.steps, caller)
  return {
    ...presentHeader(loaded, caller),
    currency,
    unsafe: await loadUnsafe(db, [row.cluster_id], caller),
    steps: members.map((step) => presentStep(step, loaded.cluster, caller)),
  }
}

export async function loadPlans(db: Db, rows: readonly ClusterRow[], caller: Caller): Promise<PlanList> {
  const loaded = await loadAll(db, rows, caller)
  const clusterOf = new Map(loaded.map(({ cluster }) => [cluster.id, cluster]))
  const present = (step: LoadedStep) => presentStep(step, clusterOf.get(step.step.cluster_id) ?? noCluster, caller)
  const stepOf = new Map(loaded.flatMap(({ steps }) => steps.map((each) => [each.step.step_id, each] as const)))
  const all = [...stepOf.values()]
  const first = mergeSteps(all.map(present), plannedStepsMax).flatMap(({ id }) => stepOf.get(id) ?? [])
  const listed = await loadMembers(db, first, caller)
  const sum = (steps: readonly LoadedStep[]) => steps.reduce((total, { step }) => total + savingsOf(step, caller), 0n)
  const now = sumRunRates(loaded, caller)
  const headers = loaded.map((each) => ({ ...presentHeader(each, caller), steps: each.steps.length }))
  return {
    currency,
    run_rate: shown(now),
    run_rate_after: shown(now === null ? null : now - sum(all)),
    savings: roundToNumber(sum(all)),
    is_complete: headers.every(({ is_complete: isComplete }) => isComplete),
    clusters: headers,
    unsafe: await loadUnsafe(db, rows.map(({ cluster_id: id }) => id), caller), // prettier-ignore
    steps: placed(listed.map(present), now, listed.map(({ step }) => savingsOf(step, caller))), // prettier-ignore
    left_out: {
      steps: all.length - listed.length,
      savings: roundToNumber(sum(all) - sum(listed)),
    },
  }
}

/** For pages that show no plan. */
export async function loadUnsafe(db: Db, clusterIds: readonly string[], caller: Caller): Promise<UnsafeNow> {
  const steps = await listSteps(db, clusterIds, caller.namespaces)
  return presentUnsafe(await listUnsafe(db, clusterIds, caller.namespaces), steps, caller)
}

const noCluster: PlannedCluster = { id: '', name: '', runRate: null }

/** The steps of the clusters, without their recommendations. */
async function loadAll(db: Db, rows: readonly ClusterRow[], { namespaces }: Caller): Promise<LoadedPlan[]> {
  const ids = rows.map(({ cluster_id: id }) => id)
  const plans = new Map((await listPlans(db, ids)).map((plan) => [plan.cluster_id, plan]))
  const visible = (await listSteps(db, ids, namespaces)).filter(isVisible(namespaces))
  const stepIds = visible.map(({ step_id: id }) => id)
  const counts = groupBy(await countStatuses(db, ids, stepIds, namespaces), ({ step_id: id }) => id)
  const byCluster = groupBy(visible, ({ cluster_id: id }) => id)
  const countsOf = ({ step_id: id }: StepRow) =>
    Object.fromEntries((counts.get(id) ?? []).map(({ status, count }) => [status, count]))
  return rows.map((row) => ({
    cluster: { id: row.cluster_id, name: row.name, runRate: runRate(row) },
    plan: plans.get(row.cluster_id),
    steps: (byCluster.get(row.cluster_id) ?? []).map((step) => ({ step, counts: countsOf(step), members: [] })),
  }))
}

const isVisible =
  (namespaces: Caller['namespaces']) =>
  ({ visible }: StepRow) =>
    namespaces === null || visible > 0

async function loadMembers(db: Db, steps: readonly LoadedStep[], { namespaces }: Caller): Promise<LoadedStep[]> {
  if (steps.length === 0) return []
  const clusterIds = [...new Set(steps.map(({ step }) => step.cluster_id))]
  const stepIds = steps.map(({ step }) => step.step_id)
  const members = groupBy(await listMembers(db, clusterIds, stepIds, namespaces), ({ step_id: id }) => id)
  return steps.map((each) => ({ ...each, members: members.get(each.step.step_id) ?? [] }))
}

const runRate = ({ monthly_cost: usd }: ClusterRow): Decimal | null => (Number(usd) > 0 ? decimal(String(usd)) : null)

/** Null if a cluster with steps has no known run rate. A cluster without data adds nothing. */
function sumRunRates(loaded: readonly LoadedPlan[], caller: Caller): Decimal | null {
  const rates = loaded.map((each) => ({ rate: runRateOf(each, caller), hasSteps: each.steps.length > 0 }))
  if (caller.namespaces !== null || rates.some(({ rate, hasSteps }) => rate === null && hasSteps)) return null
  return rates.reduce((sum, { rate }) => sum + (rate ?? 0n), 0n)
}

/** The run rate of all clusters decreases step by step. */
function placed(steps: readonly Plan['steps'][number][], now: Decimal | null, savings: readonly Decimal[]) {
  let rate = now
  return steps.map((step, index) => {
    const before = rate
    rate = before === null ? null : before - (savings[index] ?? 0n)
    return { ...step, run_rate_before: shown(before), run_rate_after: shown(rate), place: index + 1 }
  })
}
