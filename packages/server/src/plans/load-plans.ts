import type { Plan, PlanList, PlanStep, PlanSummary, UnsafeNow } from '@plimsoll/contract'
import { plannedStepsMax } from '@plimsoll/contract'
import { roundToNumber, type Decimal } from '@plimsoll/engine'
import type { Caller } from '../platform/auth/caller.ts'
import type { ClusterRow } from '../clusters/index.ts'
import type { Db } from '../platform/db/database.ts'
import { listSteps } from '../recommendations/index.ts'
import { loadMembers, loadStepCounts, loadSteps } from './load-steps.ts'
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
import { sumUnsafe } from './queries/unsafe.ts'

const currency = 'USD'

export async function loadPlan(db: Db, row: ClusterRow, caller: Caller): Promise<Plan> {
  const [loaded] = await loadSteps(db, [row], caller)
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
  const loaded = await loadSteps(db, rows, caller)
  const { all, first, present, sum, now } = mergePlans(loaded, caller)
  const listed = await loadMembers(db, first, caller)
  const headers = loaded.map((each) => ({ ...presentHeader(each, caller), steps: each.steps.length }))
  return {
    currency,
    ...totalsOf(now, sum(all)),
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

/** The plan as the overview shows it. The overview is for roles that see whole clusters. */
export async function loadPlanSummary(db: Db, rows: readonly ClusterRow[], caller: Caller): Promise<PlanSummary> {
  const { all, first, present, sum, now } = mergePlans(await loadStepCounts(db, rows), caller)
  const steps = placed(first.map(present), now, first.map(({ step }) => savingsOf(step, caller))) // prettier-ignore
  return {
    ...totalsOf(now, sum(all)),
    step_count: all.length,
    changes: all.reduce((total, { step }) => total + step.counted, 0),
    steps: steps.map(summaryOf),
  }
}

/** For pages that show no plan. */
export async function loadUnsafe(db: Db, clusterIds: readonly string[], caller: Caller): Promise<UnsafeNow> {
  const sum = await sumUnsafe(db, clusterIds, caller.namespaces)
  const { step: key } = sum
  const [step] = key ? await listSteps(db, [key.cluster_id], caller.namespaces, [key.step_id]) : []
  return presentUnsafe(sum, step, caller)
}

const noCluster: PlannedCluster = { id: '', name: '', runRate: null }

/** The first steps of all clusters in the order to apply them. */
function mergePlans(loaded: readonly LoadedPlan[], caller: Caller) {
  const clusterOf = new Map(loaded.map(({ cluster }) => [cluster.id, cluster]))
  const present = (step: LoadedStep) => presentStep(step, clusterOf.get(step.step.cluster_id) ?? noCluster, caller)
  const stepOf = new Map(loaded.flatMap(({ steps }) => steps.map((each) => [each.step.step_id, each] as const)))
  const all = [...stepOf.values()]
  const first = mergeSteps(all.map(present), plannedStepsMax).flatMap(({ id }) => stepOf.get(id) ?? [])
  const sum = (steps: readonly LoadedStep[]) => steps.reduce((total, { step }) => total + savingsOf(step, caller), 0n)
  return { all, first, present, sum, now: sumRunRates(loaded, caller) }
}

const totalsOf = (now: Decimal | null, savings: Decimal) => ({
  run_rate: shown(now),
  run_rate_after: shown(now === null ? null : now - savings),
  savings: roundToNumber(savings),
})

/** Null if a cluster with steps has no known run rate. A cluster without data adds nothing. */
function sumRunRates(loaded: readonly LoadedPlan[], caller: Caller): Decimal | null {
  const rates = loaded.map((each) => ({ rate: runRateOf(each, caller), hasSteps: each.steps.length > 0 }))
  if (caller.namespaces !== null || rates.some(({ rate, hasSteps }) => rate === null && hasSteps)) return null
  return rates.reduce((sum, { rate }) => sum + (rate ?? 0n), 0n)
}

/** The run rate of all clusters decreases step by step. */
function placed(steps: readonly PlanStep[], now: Decimal | null, savings: readonly Decimal[]) {
  let rate = now
  return steps.map((step, index) => {
    const before = rate
    rate = before === null ? null : before - (savings[index] ?? 0n)
    return { ...step, run_rate_before: shown(before), run_rate_after: shown(rate), place: index + 1 }
  })
}

const summaryOf = (step: PlanStep & { place: number }): PlanSummary['steps'][number] => ({
  id: step.id,
  cluster_id: step.cluster_id,
  cluster_name: step.cluster_name,
  number: step.number,
  kind: step.kind,
  title: step.title,
  savings: step.savings,
  run_rate_after: step.run_rate_after,
  risk: step.risk,
  effort: step.effort,
  status: step.status,
  changes: step.changes,
  place: step.place,
})
