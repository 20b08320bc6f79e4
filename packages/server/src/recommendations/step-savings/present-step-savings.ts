import { appliedStepsMax, type StepSavings, type StepSavingsList } from '@plimsoll/contract'
import { roundToNumber, type Decimal } from '@plimsoll/engine'
import { measureStep, outcomeOf, stepState, type NodeState, type StepMeasure } from '@plimsoll/engine/savings'
import { listVisibleClusters } from '../../clusters/index.ts'
import type { Db } from '../../platform/db/database.ts'
import { generalTitles } from '../plan-step-reference.ts'
import type { Sight } from '../queries/recommendations.ts'
import { loadAppliedSteps, type AppliedStep, type PromisedMember } from './load-applied-steps.ts'
import { presentHealth } from './present-health.ts'

export type StepFilter = {
  clusterId?: string | undefined
  namespaces?: readonly string[] | undefined
  ruleIds?: readonly string[] | undefined
}

/** What applied steps promised, and what was measured, as far as the caller may see them. */
export async function loadStepSavings(tx: Db, sight: Sight, filter: StepFilter): Promise<StepSavingsList> {
  const clusters = await listVisibleClusters(tx, filter.clusterId === undefined ? sight.clusters : [filter.clusterId])
  const nameOf = new Map(clusters.map(({ id, name }) => [id, name]))
  const { steps, isComplete } = await loadAppliedSteps(tx, {
    clusterIds: [...nameOf.keys()],
    namespaces: inBoth(sight.namespaces, filter.namespaces ?? null),
    ruleIds: filter.ruleIds ?? null,
    limit: appliedStepsMax,
  })
  const measured = steps.map((step): Measured => {
    const resources = visibleResources(step)
    return { step, resources, measure: measureVisible(step, resources) }
  })
  return {
    rows: measured.map((each) => presentStep(each, sight, nameOf.get(each.step.row.cluster_id) ?? '')),
    total: presentTotal(measured, sight),
    is_complete: isComplete,
  }
}

type Resource = { promisedUsd: Decimal; offUsd: Decimal; isGone: boolean }
type Measured = { step: AppliedStep; resources: readonly Resource[]; measure: StepMeasure }

/** Null: all. */
function inBoth(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  if (a === null || b === null) return a ?? b
  return a.filter((each) => b.includes(each))
}

/** The cloud resources that visible recommendations name. */
function visibleResources({ visible, resources }: AppliedStep): Resource[] {
  return resources.flatMap(({ namedBy, offUsd, isGone }) => {
    const own = namedBy.filter((member) => visible.includes(member))
    return own.length === 0 ? [] : [{ promisedUsd: sumShares(own), offUsd, isGone }]
  })
}

/** Of a step with hidden recommendations: the share of the visible ones in the nodes, and their cloud resources. */
function measureVisible(step: AppliedStep, resources: readonly Resource[]): StepMeasure {
  const { promisedUsd, members, visible } = step
  const nodes = ownNodes(step).map(({ named, state, offUsd }) => ({
    ...{ promisedUsd: named.promisedUsd, offUsd, isGone: state === 'gone' },
    isUnobserved: unobservedStates.includes(state),
  }))
  const judged = visible.map((member) => ({
    id: member.recommendation_id,
    shareUsd: member.shareUsd,
    outcome: outcomeOf(member.state),
    observedPart: member.observedPart,
  }))
  if (step.isWhole) {
    return measureStep({ promisedUsd, items: [...nodes, ...resources], members: judged })
  }
  const [own, whole] = [sumShares(visible), sumShares(members)]
  const part = (usd: Decimal) => (whole === 0n ? 0n : (usd * own) / whole)
  const scaled = nodes.map((node) => ({ ...node, promisedUsd: part(node.promisedUsd), offUsd: part(node.offUsd) }))
  return measureStep({ promisedUsd: own, items: [...scaled, ...resources], members: judged })
}

const sumShares = (members: readonly PromisedMember[]) => members.reduce((sum, { shareUsd }) => sum + shareUsd, 0n)

/** Claimed nodes count for another step. */
const ownNodes = ({ nodes }: AppliedStep) => nodes.filter(({ state }) => state !== 'claimed')

const unobservedStates: readonly NodeState[] = ['unknown', 'not_priced', 'ended_before']

const isGoneOf = ({ state }: AppliedStep['nodes'][number]) => ({ isGone: state === 'gone' })

function presentStep({ step, resources, measure }: Measured, { namespaces }: Sight, clusterName: string): StepSavings {
  const { row, visible, nodes } = step
  const isWhole = namespaces === null
  const applied = visible.filter(({ state }) => state !== 'open')
  const reverted = visible.filter(({ state }) => state === 'reverted')
  return {
    id: row.step_id,
    cluster_id: row.cluster_id,
    cluster_name: clusterName,
    kind: row.kind,
    title: isWhole || step.isWhole ? row.title : generalTitles[row.kind],
    is_in_plan: row.is_in_plan,
    promised_at: row.promised_at.toISOString(),
    applied_at: row.applied_at.toISOString(),
    changes: visible.length,
    changes_applied: applied.length,
    changes_reverted: reverted.length,
    ...presentAmounts(measure),
    ...presentCounts([{ step, resources }], isWhole),
    nodes: isWhole ? nodes.map(presentNode) : [],
    reverted_names: [...new Set(reverted.map(nameOf))],
    observed_capacity: visible.reduce((sum, member) => sum + (member.verification_detail?.observed_savings ?? 0), 0),
    state: stepState(
      visible.map(({ state }) => state),
      [...(isWhole || step.isWhole ? ownNodes(step).map(isGoneOf) : []), ...resources],
    ),
    health: presentHealth(applied),
  }
}

const nameOf = ({ namespace, workload_name: workload, title }: PromisedMember) =>
  workload === null ? title : `${namespace}/${workload}`

const presentNode = ({ named, state, life, replacement, offUsd }: AppliedStep['nodes'][number]) => ({
  name: named.name,
  pool: named.pool,
  state,
  ended_at: endOf(life?.endedAt ?? null),
  replacement: replacement?.name ?? null,
  promised: roundToNumber(named.promisedUsd, 2),
  off_the_bill: roundToNumber(offUsd, 2),
})

const endOf = (second: number | null) => (second === null ? null : new Date(second * 1000).toISOString())

const presentAmounts = (measure: StepMeasure) => ({
  promised: roundToNumber(measure.promised, 2),
  off_the_bill: roundToNumber(measure.offTheBill, 2),
  capacity_freed: roundToNumber(measure.capacityFreed, 2),
  reverted: roundToNumber(measure.reverted, 2),
  not_observed: roundToNumber(measure.notObserved, 2),
  price_difference: roundToNumber(measure.priceDifference, 2),
})

function presentCounts(measured: readonly Omit<Measured, 'measure'>[], isWhole: boolean) {
  const nodes = measured.flatMap(({ step }) => ownNodes(step))
  const resources = measured.flatMap((each) => each.resources)
  const gone = <Item>(items: readonly Item[], isGone: (item: Item) => boolean) => items.filter(isGone).length
  return {
    nodes_named: isWhole ? nodes.length : null,
    nodes_gone: isWhole ? gone(nodes, ({ state }) => state === 'gone') : null,
    resources_named: resources.length,
    resources_gone: gone(resources, ({ isGone }) => isGone),
  }
}

function presentTotal(measured: readonly Measured[], { namespaces }: Sight): StepSavingsList['total'] {
  const sum = (usdOf: (measure: StepMeasure) => Decimal) =>
    measured.reduce((total, { measure }) => total + usdOf(measure), 0n)
  return {
    ...presentAmounts({
      promised: sum(({ promised }) => promised),
      offTheBill: sum(({ offTheBill }) => offTheBill),
      capacityFreed: sum(({ capacityFreed }) => capacityFreed),
      reverted: sum(({ reverted }) => reverted),
      notObserved: sum(({ notObserved }) => notObserved),
      priceDifference: sum(({ priceDifference }) => priceDifference),
    }),
    ...presentCounts(measured, namespaces === null),
  }
}
