import { REGRESSIONS } from '@plimsoll/engine/vocabulary'
import { Type, type Static } from 'typebox'
import { Nullable, Timestamp } from './common.ts'
import { Money } from './money.ts'
import { failureCounts, oneOf, stepKind } from './recommendations.ts'

/** Further applied steps are left out, the oldest first. */
export const appliedStepsMax = 200

/** Regressed changes of a step that are listed. */
export const regressedShownMax = 20

export const stepStates = ['verified', 'partial', 'reverted', 'regressed', 'not_observed', 'awaiting'] as const

export const namedNodeStates = [
  'gone',
  'replaced',
  'stays',
  'claimed',
  'ended_before',
  'not_priced',
  'unknown',
] as const

const amounts = {
  promised: Money('USD per month, fixed when the first recommendation of the step was approved or applied'),
  off_the_bill: Money(
    'USD per month: prices of the removed nodes and cloud resources of the step, minus the prices of their replacements',
  ),
  capacity_freed: Money('USD per month of the promise: applied changes whose nodes are still on the bill'),
  reverted: Money('USD per month of the promise: reverted changes'),
  not_observed: Money(
    'USD per month: changes that are not applied or not observed, and nodes without data or price. Also steps without nodes or cloud resources',
  ),
  price_difference: Money(
    'USD per month: measured price of what is gone − promised price. `promised` + `price_difference` = `off_the_bill` + `capacity_freed` + `reverted` + `not_observed`',
  ),
}

const counts = {
  nodes_named: Nullable(
    Type.Integer(),
    'Nodes that the step removes or replaces. Null for a role limited to namespaces',
  ),
  nodes_gone: Nullable(
    Type.Integer(),
    'Removed nodes without an unplanned replacement. Null for a role limited to namespaces',
  ),
  resources_named: Type.Integer({ description: 'Volumes, load balancers and control planes that the step removes or changes' }), // prettier-ignore
  resources_gone: Type.Integer({ description: 'Those that ended, or that cost less now' }),
}

const NamedNode = Type.Object({
  name: Type.String(),
  pool: Type.String(),
  state: oneOf(
    namedNodeStates,
    '`gone`: removed, or replaced as planned · `replaced`: another node took its place · `stays`: the node runs · `claimed`: the node counts for another step · `ended_before`: the node ended before the first change of the step · `not_priced`: the node ended, and a price is not known · `unknown`: no data',
  ),
  ended_at: Nullable(Timestamp, 'Null while the node runs'),
  replacement: Nullable(Type.String(), 'Name of the node that took its place'),
  promised: Money('USD per month'),
  off_the_bill: Money('USD per month'),
})

const counted = Type.Object(failureCounts)

const Regressed = Type.Object({
  recommendation_id: Type.String(),
  namespace: Type.String(),
  workload: Type.String({ description: 'Name of the workload; empty without one' }),
  container: Type.String(),
  change: Type.String({ description: 'What was changed' }),
  message: Type.String(),
  before: counted,
  since: counted,
  regressions: Type.Array(oneOf(REGRESSIONS)),
})

const Health = Type.Object(
  {
    containers: Type.Integer({ description: 'Changed containers with data, without the regressed ones' }),
    before: counted,
    since: counted,
    regressed: Type.Array(Regressed, { maxItems: regressedShownMax }),
  },
  {
    description:
      'Failures of the changed containers, up to seven days before and after the change. Readiness is not measured',
  },
)

export const StepSavings = Type.Object(
  {
    id: Type.String({ examples: ['stp_01k3v7m9q2x4t6b8n0d2f4h6j8'] }),
    cluster_id: Type.String(),
    cluster_name: Type.String(),
    kind: stepKind,
    title: Type.String({ description: 'General for a role that does not see all recommendations of the step' }),
    is_in_plan: Type.Boolean({ description: 'Whether the current plan still has the step' }),
    promised_at: Timestamp,
    applied_at: Timestamp,
    changes: Type.Integer({ description: 'Number of recommendations of the step' }),
    changes_applied: Type.Integer(),
    changes_reverted: Type.Integer(),
    ...amounts,
    ...counts,
    nodes: Type.Array(NamedNode, { description: 'Hidden from a role limited to namespaces' }),
    reverted_names: Type.Array(Type.String(), { description: 'Workloads of reverted changes, as namespace/name' }),
    observed_capacity: Money(
      'USD per month: requests that the changes free now, at node prices. Not a part of the bill',
    ),
    state: oneOf(
      stepStates,
      '`verified`: all nodes and cloud resources of the step are removed · `partial`: some of them · `regressed`: a container fails more often than before',
    ),
    health: Nullable(Health, 'Null without observed containers'),
  },
  { title: 'StepSavings' },
)

export const StepSavingsList = Type.Object(
  {
    rows: Type.Array(StepSavings, { maxItems: appliedStepsMax, description: 'The newest first' }),
    total: Type.Object({ ...amounts, ...counts }),
    is_complete: Type.Boolean({ description: `False: there are more than ${appliedStepsMax} applied steps` }),
  },
  {
    title: 'StepSavingsList',
    description:
      'With `include=steps`: each plan step with an applied recommendation, what it promised and what was measured. Steps that left the plan are included. All amounts are whole cents. With filters or a limited role, a step counts with the shares of the matching recommendations',
  },
)

export type StepSavings = Static<typeof StepSavings>
export type StepSavingsList = Static<typeof StepSavingsList>
