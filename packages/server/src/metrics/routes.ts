import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { metricsMediaType, operations } from '@plimsoll/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { listVisibleClusters, visibleNamespaces } from '../clusters/index.ts'
import type { CostDeps, MetricsRequest } from '../costs/index.ts'
import { callerIdOf, seesWholeClusters, type Caller } from '../platform/auth/caller.ts'
import { closingSignal } from '../platform/http/closing-signal.ts'
import { handle } from '../platform/http/handle.ts'
import { Problem } from '../platform/http/problem.ts'
import { requestCaller } from '../platform/http/request-caller.ts'

/** For Prometheus: the figures of the API as gauges. */
export const costMetricsRoutes: FastifyPluginAsyncTypebox<{ deps: CostDeps }> = async (app, { deps }) => {
  const answer = async (request: FastifyRequest, reply: FastifyReply, asked: MetricsRequest) => {
    const requester = { callerId: callerIdOf(requestCaller(request)), signal: closingSignal(reply) }
    const text = await deps.figuring.metrics(asked, requester)
    return reply.type(metricsMediaType).send(Buffer.from(text.buffer, text.byteOffset, text.byteLength))
  }

  handle(app, operations.getCostMetrics, {
    handler: (request, reply) => {
      const caller = requestCaller(request)
      return answer(request, reply, {
        kind: 'costs',
        isByWorkload: request.query.by === 'workload',
        clusterId: undefined,
        callerClusters: caller.clusters,
        namespaces: visibleNamespaces(request, undefined),
        visibleTeams: caller.teams,
        sight: mayReadAdvice(caller) ? { clusters: caller.clusters, namespaces: caller.namespaces } : undefined,
        now: deps.now(),
      })
    },
  })

  handle(app, operations.getOpencostMetrics, {
    handler: async (request, reply) => {
      const caller = requestCaller(request)
      if (!seesWholeClusters(caller)) throw narrowed()
      const { cluster: name } = request.query
      const clusters = await listVisibleClusters(deps.db, caller.clusters)
      const found = clusters.find((each) => each.name === name)
      if (!found) throw new Problem('cluster_not_found', `There is no cluster with the name '${name}'.`)
      return answer(request, reply, { kind: 'opencost', clusterId: found.id, clusterName: found.name })
    },
  })
}

/** Recommendations do not belong to teams. */
const mayReadAdvice = ({ permissions, teams }: Caller) => permissions.has('recommendations:read') && teams === null

const narrowed = () =>
  new Problem('role_narrowed', 'Your role is limited to some namespaces. These metrics need a role for whole clusters.')
