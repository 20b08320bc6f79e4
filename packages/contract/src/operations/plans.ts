import { ClusterParams, PlanStepParams } from '../schemas/path-params.ts'
import { Plan, PlanList } from '../schemas/plans.ts'
import { BatchResult, MoveBody } from '../schemas/recommendation-moves.ts'
import { operation } from './operation.ts'

const moveStep = {
  access: 'recommendations:write',
  tag: 'Plans',
  params: PlanStepParams,
  body: MoveBody,
  response: { 200: BatchResult },
} as const

const likeBatch =
  'The response has one result per recommendation, like POST /recommendations/batch. The audit log has one entry, which names the step. A role limited to namespaces changes only its own recommendations.'

export const planOperations = {
  getPlan: operation('GET /api/v1/clusters/:cluster_id/plan', {
    access: 'recommendations:read',
    tag: 'Plans',
    summary: 'Show the plan of a cluster: steps that lower the bill, in order',
    description:
      'Each analysis makes the plan from the open and approved recommendations. `savings` of a step is the decrease of the monthly bill, with the earlier steps applied. The savings of all steps add up. Approving a recommendation changes no figure. A step keeps its ID; its number is its position in the current plan. For a role limited to namespaces, the plan shows only the recommendations of these namespaces. Nodes and run rates are omitted.',
    params: ClusterParams,
    response: { 200: Plan },
  }),

  listPlans: operation('GET /api/v1/plans', {
    access: 'recommendations:read',
    tag: 'Plans',
    summary: 'List the plan steps of all clusters, in the order to apply them',
    description:
      'The steps of all clusters of the role: fixes of failures first, then the highest savings per effort. The steps of one cluster keep their order. Savings of different clusters are independent and add up.',
    response: { 200: PlanList },
  }),

  approvePlanStep: operation('POST /api/v1/clusters/:cluster_id/plan/steps/:step_id/approve', {
    ...moveStep,
    summary: 'Approve the recommendations of a step',
    description: `Approves all pending recommendations of the step in one transaction. ${likeBatch}`,
  }),

  rejectPlanStep: operation('POST /api/v1/clusters/:cluster_id/plan/steps/:step_id/reject', {
    ...moveStep,
    summary: 'Reject the recommendations of a step',
    description: `Rejects all pending and approved recommendations of the step in one transaction. They leave the plan with the next analysis. ${likeBatch}`,
  }),

  withdrawPlanStep: operation('POST /api/v1/clusters/:cluster_id/plan/steps/:step_id/withdraw', {
    ...moveStep,
    summary: 'Withdraw the approvals of a step',
    description: `Sets all approved recommendations of the step to pending in one transaction. ${likeBatch}`,
  }),
}
