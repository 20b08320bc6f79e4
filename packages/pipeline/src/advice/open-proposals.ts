import { findingKey, workloadPath, type ContainerSpec, type RuleFinding, type Target } from '@plimsoll/engine/rules'
import { openKey, reconcile, type Found, type Standing } from './reconcile.ts'
import type { OpenRecommendation } from './rows.ts'

/** What a recommendation would change, whether it was just found or is written down. */
export type Proposing = {
  ruleId: string
  target: Target
  workload: { kind: string; name: string; container: string } | null
  currentSpec: ContainerSpec | null
  recommendedSpec: ContainerSpec | null
  removesPods?: number | readonly string[]
  /** What the thing costs, as far as it is known: no saving is larger. */
  costUsdPerMonth: number | null
}

/** By workload, pods that hold a place and do not start. */
export type StuckPods = ReadonlyMap<string, readonly string[]>

type Written = Pick<
  OpenRecommendation,
  'rule_id' | 'content' | 'workload_kind' | 'workload_name' | 'container' | 'estimated_savings'
>

/** As it was written down; which pods are stuck is looked up, because they are others by now. */
export function proposingOf(row: Written, stuck: StuckPods): Proposing {
  const { content, workload_kind: kind, workload_name: name, container } = row
  const { removesPods, target } = content
  const workload = kind === null || name === null ? null : { kind, name, container: container ?? '' }
  const removed =
    removesPods === 'stuck' ? (stuck.get(workloadPath(target.namespace, kind ?? '', name ?? '')) ?? []) : removesPods
  return {
    ruleId: row.rule_id,
    target,
    workload,
    currentSpec: content.current,
    recommendedSpec: content.recommended,
    ...(removed === undefined ? {} : { removesPods: removed }),
    costUsdPerMonth: content.costUsdPerMonth ?? costsAtLeast(row),
  }
}

/** Where it is not written what the thing cost, it was no less than what was estimated to be saved of it. */
const costsAtLeast = ({ estimated_savings: usd }: Written) => Math.max(0, Number(usd))

/**
 * What is open once these findings are stored. Those that are new or renewed count as they are told now, what was approved or
 * cannot be confirmed as it is written, and what somebody has rejected not at all: it is what the list shows afterwards.
 */
export function openAfter(
  found: Omit<Found, 'observedAt'>,
  standing: Standing,
  rows: readonly Written[],
  stuck: StuckPods,
): Proposing[] {
  const { insert, update, close } = reconcile(found, standing)
  const current: readonly RuleFinding[] = [...insert, ...update.map(({ finding }) => finding)]
  const closed = new Set(close.map(({ id }) => id))
  const ended = new Set(
    standing.open.flatMap((each) => (closed.has(each.id) ? [openKey(each.ruleId, each.targetKey)] : [])),
  )
  const currentKeys = new Set(current.map(findingKey))
  const kept = rows
    .map((row) => proposingOf(row, stuck))
    .filter((each) => !currentKeys.has(findingKey(each)) && !ended.has(findingKey(each)))
  return [...current, ...kept]
}
