import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { batchIdsMax, operations, type StepAction } from '@plimsoll/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { findCluster, listAllClusters, visibleCluster } from '../../clusters/index.ts'
import { readAtOnce } from '../../ingest/index.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { change } from '../../platform/http/change.ts'
import { handle } from '../../platform/http/handle.ts'
import { Problem, quoted } from '../../platform/http/problem.ts'
import { requestCaller, requestUser } from '../../platform/http/request-caller.ts'
import { isId } from '../../platform/ids.ts'
import { batchResult, listSteps, moveAsCaller, type StepRow } from '../../recommendations/index.ts'
import { loadPlan, loadPlans } from '../load-plans.ts'
import { listMemberIds, type StepKey } from '../queries/plans.ts'
import { movedStatuses } from '../step-status.ts'

const moves = {
  approve: operations.approvePlanStep,
  reject: operations.rejectPlanStep,
  withdraw: operations.withdrawPlanStep,
} satisfies Record<StepAction, unknown>

export const planRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.getPlan, {
    preParsing: visibleCluster(deps),
    handler: (request) =>
      readAtOnce(deps.db, async (tx) => {
        const row = await findCluster(tx, request.params.cluster_id)
        if (!row) throw new Problem('cluster_not_found', `There is no cluster ${quoted(request.params.cluster_id)}.`)
        return loadPlan(tx, row, requestCaller(request))
      }),
  })

  handle(app, operations.listPlans, {
    handler: (request) =>
      readAtOnce(deps.db, async (tx) => {
        const caller = requestCaller(request)
        return loadPlans(tx, await listAllClusters(tx, caller.clusters), caller)
      }),
  })

  for (const [action, operation] of Object.entries(moves)) {
    handle(app, operation, {
      preParsing: [visibleCluster(deps), visibleStep(deps)],
      handler: (request, reply) =>
        moveStep(deps, request, reply, {
          ...{ clusterId: request.params.cluster_id, stepId: request.params.step_id },
          wish: { action: action as StepAction, reason: request.body?.reason ?? null },
        }),
    })
  }
}

/** Before the body is read. A step without a visible recommendation gets the same response as a missing one. */
const visibleStep = (deps: Deps) => async (request: FastifyRequest) => {
  const { cluster_id: clusterId, step_id: stepId } = request.params as { cluster_id: string; step_id: string }
  await findStep(deps.db, request, { clusterId, stepId })
}

async function findStep(db: Db, request: FastifyRequest, { clusterId, stepId }: StepKey): Promise<StepRow> {
  const { namespaces } = requestCaller(request)
  const [step] = isId('stp', stepId) ? await listSteps(db, [clusterId], namespaces, [stepId]) : []
  if (step && step.visible > 0) return step
  throw new Problem('plan_step_not_found', `The current plan of the cluster has no step ${quoted(stepId)}.`)
}

const tooMany = (count: number) =>
  new Problem(
    'recommendation_state',
    `The step has ${count} recommendations, more than ${batchIdsMax}. Use POST /api/v1/recommendations/batch in parts.`,
    { members: { current_status: 'pending', allowed_actions: [] } },
  )

const movedMeanwhile = () =>
  new Problem('recommendation_state', 'A recommendation of the step changed at the same time. Load the plan again.', {
    members: { current_status: 'implemented', allowed_actions: [] },
  })

type StepMove = StepKey & { wish: { action: StepAction; reason: string | null } }

function moveStep(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { clusterId, stepId, wish: { action, reason } }: StepMove,
) {
  return change(deps, request, reply, async (tx) => {
    const step = await findStep(tx, request, { clusterId, stepId })
    const caller = requestUser(request)
    const ids = await listMemberIds(tx, { clusterId, stepId }, movedStatuses[action], caller.namespaces)
    if (ids.length > batchIdsMax) throw tooMany(ids.length)
    const outcomes = await moveAsCaller(deps, tx, {
      ...{ request, ids, wish: { action, reason } },
      demand: ({ status }) => {
        if (!movedStatuses[action].includes(status)) throw movedMeanwhile()
      },
      audit: (changed) => [
        {
          action: `plan_step.${action}`,
          target: { type: 'plan_step', id: stepId },
          detail: {
            ...{ cluster_id: clusterId, title: step.title, kind: step.kind, number: step.position },
            recommendation_ids: changed.map((row) => row.recommendation_id),
            ...(reason === null ? {} : { reason }),
          },
        },
      ],
    })
    return { status: 200, body: batchResult(ids, outcomes, caller), resourceId: clusterId }
  })
}
