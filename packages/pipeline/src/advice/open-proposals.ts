import type { LevelName } from '@plimsoll/contract'
import { findingKey, workloadPath, type ContainerSpec, type RuleFinding, type Target } from '@plimsoll/engine/rules'
import { openKey, reconcile, type Found, type Standing } from './reconcile.ts'
import type { OpenRecommendation } from './rows.ts'

/** What a recommendation would change, either newly found or stored. */
export type Proposing = {
  ruleId: string
  target: Target
  workload: { kind: string; name: string; container: string } | null
  currentSpec: ContainerSpec | null
  recommendedSpec: ContainerSpec | null
  removesPods?: number | readonly string[]
  /** The cost of the object, if known. Savings never exceed it. */
  costUsdPerMonth: number | null
  title: string
  risk: LevelName
  estimatedUsdPerMonth: number
  /** Null: not known. */
  bankableUsdPerMonth: number | null
  /** Nodes that users remove manually; absent: none. */
  removesNodes?: readonly string[]
  /** Nodes that another instance type replaces; absent: none, or stored by an earlier analysis. */
  machines?: readonly string[]
  /** The state of the object when it was found. */
  basis: string
}

/** By workload: pods that hold requests on a node and do not start. */
export type StuckPods = ReadonlyMap<string, readonly string[]>

type Written = Pick<
  OpenRecommendation,
  | 'rule_id'
  | 'content'
  | 'workload_kind'
  | 'workload_name'
  | 'container'
  | 'title'
  | 'risk'
  | 'estimated_savings'
  | 'bankable_savings'
  | 'basis'
>

/** From the stored row. Stuck pods are looked up, because their names change. */
export function proposingOf(row: Written, stuck: StuckPods): Proposing {
  const { content, workload_kind: kind, workload_name: name, container } = row
  const { removesPods, target } = content
  const workload = kind === null || name === null ? null : { kind, name, container: container ?? '' }
  const removed =
    removesPods === 'stuck' ? (stuck.get(workloadPath(target.namespace, kind ?? '', name ?? '')) ?? []) : removesPods
  return {
    ruleId: row.rule_id,
    basis: row.basis,
    target,
    workload,
    currentSpec: content.current,
    recommendedSpec: content.recommended,
    ...(removed === undefined ? {} : { removesPods: removed }),
    costUsdPerMonth: content.costUsdPerMonth ?? costsAtLeast(row),
    title: row.title,
    risk: row.risk,
    estimatedUsdPerMonth: Number(row.estimated_savings),
    bankableUsdPerMonth: row.bankable_savings === null ? null : Number(row.bankable_savings),
    ...(content.removesNodes === undefined ? {} : { removesNodes: content.removesNodes }),
  }
}

/** Without a stored cost, the cost is at least the estimated savings. */
const costsAtLeast = ({ estimated_savings: usd }: Written) => Math.max(0, Number(usd))

/**
 * The open recommendations once these findings are stored, as the list then shows them. New and updated findings count
 * with their new content. Approved and unconfirmed ones count as stored. Rejected ones do not count.
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
