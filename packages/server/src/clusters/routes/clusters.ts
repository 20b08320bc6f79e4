import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { type ClusterDetail, clusterIncludes, operations } from '@plimsoll/contract'
import { pathOf, routes } from '@plimsoll/contract/routes'
import { changedFields, recordChange } from '../../audit/index.ts'
import { makeAgentToken } from '../../platform/auth/make-agent-token.ts'
import type { Caller } from '../../platform/auth/caller.ts'
import { presentCluster } from '../cluster-view.ts'
import {
  deleteCluster,
  findCluster,
  insertCluster,
  listClusters,
  lockCluster,
  sortKeyOf,
  updateCluster,
  type ClusterRow,
} from '../queries/clusters.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import type { Db } from '../../platform/db/database.ts'
import type { Deps } from '../../platform/deps.ts'
import { change } from '../../platform/http/change.ts'
import { decodeCursor, encodeCursor, page } from '../../platform/http/cursor.ts'
import { demandMatch, sendWithEtag } from '../../platform/http/etag.ts'
import { severalOf } from '../../platform/http/several-of.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { newId } from '../../platform/ids.ts'
import { installCommands } from '../install-commands.ts'
import { Problem, quoted } from '../../platform/http/problem.ts'
import { placeAsSent } from '../place.ts'
import { clusterNotFound, demandWholeCluster, visibleCluster } from '../cluster-access.ts'
import { demandWholeFleet } from '../../platform/auth/whole-fleet.ts'
import { handle } from '../../platform/http/handle.ts'

type Part = (typeof clusterIncludes)[number]

/** Parts of cluster responses from features above this one. Null: the caller may not see it. */
export type ClusterExtras = {
  countOpen: (
    deps: Deps,
    caller: Caller,
    clusters: readonly ClusterRow[],
  ) => Promise<(cluster: ClusterRow) => number | null>
  loadDetail: (
    deps: Deps,
    caller: Caller,
    cluster: ClusterRow,
    parts: readonly Part[],
  ) => Promise<Pick<ClusterDetail, Part>>
}

export const clusterRoutes: FastifyPluginAsyncTypebox<{ deps: Deps; extras: ClusterExtras }> = async (
  app,
  { deps, extras },
) => {
  const findFirst = visibleCluster(deps)

  handle(app, operations.listClusters, {
    handler: async (request) => {
      const { limit, cursor, sort } = request.query
      const caller = requestCaller(request)
      const scope = { list: 'clusters', selection: { sort } }
      const [after] = decodeCursor(deps.secrets, scope, cursor, deps.now()) ?? []
      const rows = await listClusters(deps.db, { sort, visible: caller.clusters, after, limit: limit + 1 })
      const { shown, ...rest } = page(rows, limit, (last) =>
        encodeCursor(deps.secrets, scope, [sortKeyOf(sort, last)], deps.now()),
      )
      const open = await extras.countOpen(deps, caller, shown)
      return {
        clusters: shown.map((row) => ({ ...presentCluster(row, caller, deps.now()), open_recommendations: open(row) })),
        ...rest,
      }
    },
  })

  handle(app, operations.createCluster, {
    // A role restricted to clusters could not see the cluster that it creates.
    preParsing: demandWholeFleet,
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { name } = request.body
        const now = deps.now()
        const clusterId = newId('cls', now)
        const place = placeAsSent(request.body)
        if (!(await insertCluster(tx, { clusterId, name, ...place, now }))) throw nameTaken(name)
        const { token } = await makeAgentToken(deps, tx, clusterId)
        const target = { type: 'cluster' as const, id: clusterId }
        await recordChange(deps, tx, request, { action: 'cluster.create', target, detail: { name, ...place } })
        const row = await findCluster(tx, clusterId)
        if (!row) throw new Error('the new cluster is missing')
        return {
          status: 201,
          headers: { location: pathOf(routes.getCluster, { cluster_id: clusterId }) },
          body: presentCluster(row, requestCaller(request), now),
          revision: row.revision,
          shownOnce: { agent_token: token, install: installCommands(deps.settings, token) },
          resourceId: clusterId,
        }
      }),
  })

  handle(app, operations.getCluster, {
    preParsing: findFirst,
    handler: async (request, reply) => {
      const row = await findCluster(deps.db, request.params.cluster_id)
      if (!row) throw clusterNotFound(request.params.cluster_id)
      const caller = requestCaller(request)
      const detail = await extras.loadDetail(
        deps,
        caller,
        row,
        severalOf('include', request.query.include, clusterIncludes) ?? [],
      )
      return sendWithEtag(request, reply, row.revision, { ...presentCluster(row, caller, deps.now()), ...detail })
    },
  })

  handle(app, operations.updateCluster, {
    preParsing: [findFirst, async (request) => demandWholeCluster(request)],
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { cluster_id: clusterId } = request.params
        const locked = await lockAsRead(tx, request)
        const { name, provider, region } = locked
        const before = { name, provider, region }
        const sent = { ...before, ...request.body }
        const after = { name: sent.name, ...placeAsSent(sent) }
        if (!(await updateCluster(tx, clusterId, after, deps.now()))) throw nameTaken(after.name)
        const detail = { name, ...changedFields(before, after) }
        const target = { type: 'cluster' as const, id: clusterId }
        await recordChange(deps, tx, request, { action: 'cluster.update', target, detail })
        const row = await findCluster(tx, clusterId)
        if (!row) throw clusterNotFound(clusterId)
        return { status: 200, body: presentCluster(row, requestCaller(request), deps.now()), revision: row.revision }
      }),
  })

  handle(app, operations.deleteCluster, {
    preParsing: [findFirst, async (request) => demandWholeCluster(request)],
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { cluster_id: clusterId } = request.params
        const locked = await lockAsRead(tx, request)
        const roles = await deleteCluster(tx, clusterId, deps.now())
        await enqueue(tx, 'purge-cluster', { clusterId })
        const { name, provider, region } = locked
        const target = { type: 'cluster' as const, id: clusterId }
        const detail = { name, provider, region, taken_out_of_roles: roles }
        await recordChange(deps, tx, request, { action: 'cluster.delete', target, detail })
        return { status: 204, body: null }
      }),
  })
}

/** The cluster of the request, locked and unchanged since the caller read it. */
async function lockAsRead(tx: Db, request: FastifyRequest<{ Params: { cluster_id: string } }>) {
  const { cluster_id: clusterId } = request.params
  const locked = await lockCluster(tx, clusterId)
  if (!locked) throw clusterNotFound(clusterId)
  demandMatch(request, locked.revision)
  return locked
}

const nameTaken = (name: string) =>
  new Problem('cluster_name_taken', `Another cluster has the name ${quoted(name)}.`, {
    errors: [{ pointer: '/name', code: 'taken', detail: 'is taken' }],
  })
