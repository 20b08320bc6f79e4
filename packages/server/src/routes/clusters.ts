import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  Cluster,
  ClusterList,
  CreateClusterBody,
  CreatedCluster,
  ListClustersQuery,
  UpdateClusterBody,
} from '@plimsoll/contract'
import { Type } from 'typebox'
import { recordChange } from '../audit.ts'
import { makeAgentToken } from '../auth/agent-token.ts'
import { presentCluster } from '../cluster-view.ts'
import {
  deleteCluster,
  findCluster,
  insertCluster,
  listClusters,
  lockCluster,
  sortKeyOf,
  updateCluster,
} from '../db/clusters.ts'
import { enqueue } from '../db/job-queue.ts'
import type { Deps } from '../deps.ts'
import { change } from '../http/change.ts'
import { decodeCursor, encodeCursor, page } from '../http/cursor.ts'
import { demandMatch, IfMatch, sendWithEtag } from '../http/etag.ts'
import { requestCaller } from '../http/request-caller.ts'
import { newId } from '../ids.ts'
import { installCommands } from '../install-commands.ts'
import { Problem, quoted } from '../problem.ts'
import { canonicalPlace } from '../place.ts'
import { clusterNotFound, demandWholeCluster, ClusterParams, visibleCluster } from './cluster-access.ts'
import { demandWholeFleet } from './whole-fleet.ts'

const tags = ['Clusters']

export const clusterRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  const findFirst = visibleCluster(deps)

  app.get(
    '/clusters',
    { schema: { summary: 'List clusters', tags, querystring: ListClustersQuery, response: { 200: ClusterList } } },
    async (request) => {
      const { limit, cursor, sort } = request.query
      const { clusters: visible } = requestCaller(request)
      const scope = { list: 'clusters', selection: { sort } }
      const [after] = decodeCursor(deps.secrets, scope, cursor, deps.now()) ?? []
      const rows = await listClusters(deps.db, { sort, visible, after, limit: limit + 1 })
      const { shown, ...rest } = page(rows, limit, (last) =>
        encodeCursor(deps.secrets, scope, [sortKeyOf(sort, last)], deps.now()),
      )
      return { clusters: shown.map((row) => presentCluster(row, deps.now())), ...rest }
    },
  )

  app.post(
    '/clusters',
    {
      schema: {
        summary: 'Connect a cluster',
        description: 'Answers with the agent token, which is shown this once, and with the commands that use it.',
        tags,
        body: CreateClusterBody,
        response: { 201: CreatedCluster },
      },
      // A role that sees some clusters could not see the one it makes.
      preParsing: demandWholeFleet,
    },
    (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { name } = request.body
        const now = deps.now()
        const clusterId = newId('cls', now)
        const place = canonicalPlace(request.body)
        if (!(await insertCluster(tx, { clusterId, name, ...place, now }))) throw nameTaken(name)
        const { token } = await makeAgentToken(deps, tx, clusterId)
        await recordChange(deps, tx, request, { action: 'cluster.create', target: { type: 'cluster', id: clusterId } })
        const row = await findCluster(tx, clusterId)
        if (!row) throw new Error('the cluster just made is missing')
        return {
          status: 201,
          headers: { location: `/api/v1/clusters/${clusterId}` },
          body: presentCluster(row, now),
          revision: row.revision,
          shownOnce: { agent_token: token, install: installCommands(deps.settings, token) },
          resourceId: clusterId,
        }
      }),
  )

  app.get(
    '/clusters/:cluster_id',
    {
      schema: { summary: 'Show a cluster', tags, params: ClusterParams, response: { 200: Cluster, 304: Type.Null() } },
      preParsing: findFirst,
    },
    async (request, reply) => {
      const row = await findCluster(deps.db, request.params.cluster_id)
      if (!row) throw clusterNotFound(request.params.cluster_id)
      return sendWithEtag(request, reply, row.revision, presentCluster(row, deps.now()))
    },
  )

  app.patch(
    '/clusters/:cluster_id',
    {
      schema: {
        summary: 'Rename a cluster or correct its region',
        tags,
        params: ClusterParams,
        headers: IfMatch,
        body: UpdateClusterBody,
        response: { 200: Cluster },
      },
      preParsing: [findFirst, async (request) => demandWholeCluster(request)],
    },
    (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { cluster_id: clusterId } = request.params
        const locked = await lockCluster(tx, clusterId)
        if (!locked) throw clusterNotFound(clusterId)
        demandMatch(request, locked.revision)
        const { name = locked.name, region } = request.body
        const set = { name, ...(region === undefined ? {} : { region: canonicalPlace({ region }).region }) }
        if (!(await updateCluster(tx, clusterId, set, deps.now()))) throw nameTaken(name)
        const detail = { fields: Object.keys(request.body) }
        await recordChange(deps, tx, request, {
          action: 'cluster.update',
          target: { type: 'cluster', id: clusterId },
          detail,
        })
        const row = await findCluster(tx, clusterId)
        if (!row) throw clusterNotFound(clusterId)
        return { status: 200, body: presentCluster(row, deps.now()), revision: row.revision }
      }),
  )

  app.delete(
    '/clusters/:cluster_id',
    {
      schema: {
        summary: 'Remove a cluster and all its data',
        tags,
        params: ClusterParams,
        headers: IfMatch,
        response: { 204: Type.Null() },
      },
      preParsing: [findFirst, async (request) => demandWholeCluster(request)],
    },
    (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { cluster_id: clusterId } = request.params
        const locked = await lockCluster(tx, clusterId)
        if (!locked) throw clusterNotFound(clusterId)
        demandMatch(request, locked.revision)
        await deleteCluster(tx, clusterId, deps.now())
        await enqueue(tx, 'purge-cluster', { clusterId }, { key: `purge ${clusterId}` })
        await recordChange(deps, tx, request, { action: 'cluster.delete', target: { type: 'cluster', id: clusterId } })
        return { status: 204, body: null }
      }),
  )
}

const nameTaken = (name: string) =>
  new Problem('cluster_name_taken', `Another cluster is called ${quoted(name)}.`, {
    errors: [{ pointer: '/name', code: 'taken', detail: 'is taken' }],
  })
