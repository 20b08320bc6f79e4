import type { PlanStepReference, StepKindName } from '@plimsoll/contract'
import { decimal, roundToNumber } from '@plimsoll/engine'
import type { Db } from '../platform/db/database.ts'
import { listSteps, listStepsOf, type StepRow } from './queries/plan-steps.ts'
import type { RecommendationRow, Sight } from './queries/recommendations.ts'

/** The step of each recommendation, by its ID. */
export type StepReferences = ReadonlyMap<string, PlanStepReference>

/** A rejected recommendation leaves the plan with the next analysis. */
const isPlanned = ({ status }: RecommendationRow) =>
  status === 'pending' || status === 'approved' || status === 'implemented' || status === 'resolved'

export async function loadStepReferences(
  db: Db,
  rows: readonly RecommendationRow[],
  { namespaces }: Sight,
): Promise<StepReferences> {
  const planned = rows.filter(isPlanned)
  const found = planned.length === 0 ? [] : await listStepsOf(db, planned)
  if (found.length === 0) return new Map()
  const clusterIds = [...new Set(planned.map((row) => row.cluster_id))]
  const steps = await listSteps(db, clusterIds, namespaces, [...new Set(found.map((each) => each.step_id))])
  const byId = new Map(steps.map((step) => [step.step_id, step]))
  return new Map(
    found.flatMap(({ id, step_id, is_applied: isApplied }) => {
      const step = byId.get(step_id)
      if (!step) return []
      const others = isApplied ? step.counted : step.counted - 1
      return [[id, { ...presentReference(step, namespaces), others }] as const]
    }),
  )
}

export function presentReference(step: StepRow, namespaces: Sight['namespaces']): PlanStepReference {
  return {
    id: step.step_id,
    number: step.position,
    of: step.of,
    kind: step.kind,
    title: shownTitle(step),
    savings: roundToNumber(decimal(namespaces === null ? step.savings : step.visible_share)),
    others: Math.max(0, step.counted - 1),
    nodes: namespaces === null ? step.nodes.map(({ name }) => name) : [],
  }
}

export const generalTitles: Record<StepKindName, string> = {
  protect: 'Raise requests or limits that are too small',
  remove: 'Remove unused resources',
  drain: 'Drain nodes whose pods fit on other nodes',
  free: 'Lower requests so that nodes can be removed',
  switch: 'Switch to cheaper instance types',
  rest: 'Apply changes that free capacity',
}

/** The title can name namespaces and nodes, so a caller who does not see all recommendations gets a general one. */
export const shownTitle = ({ title, kind, members, visible }: StepRow): string =>
  visible === members ? title : generalTitles[kind]
