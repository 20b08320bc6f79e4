import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Policy, operations } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import { recordChange } from '../../audit/index.ts'
import { maySeeCluster } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/database.ts'
import { lockLiveCluster, unknownCluster, visibleClusterOfQuery, wrongCluster } from '../../clusters/index.ts'
import { enqueue } from '../../platform/jobs/job-queue.ts'
import { listPoolScaling } from '../queries/pool-scaling.ts'
import { lockPolicy, pagePolicies, writePolicy, type PolicyRow } from '../queries/policies.ts'
import type { Deps } from '../../platform/deps.ts'
import { allWrongFields } from '../../platform/http/all-wrong-fields.ts'
import { change } from '../../platform/http/change.ts'
import { decodeCursor, encodeCursor, page } from '../../platform/http/cursor.ts'
import { demandMatch, demandSame, withEtag } from '../../platform/http/etag.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { Problem } from '../../platform/http/problem.ts'
import { defaultSettings } from '@plimsoll/pipeline/advice'
import { handle } from '../../platform/http/handle.ts'

export const policyRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.listPolicies, {
    preValidation: visibleClusterOfQuery(deps),
    handler: async (request) => {
      const { cluster_id: clusterId, limit, cursor } = request.query
      const { clusters, namespaces } = requestCaller(request)
      const scope = { list: 'policies', selection: { clusterId } }
      const [afterCluster, afterNamespace = ''] = decodeCursor(deps.secrets, scope, cursor, deps.now()) ?? []
      const rows = await pagePolicies(deps.db, {
        clusterIds: clusterId === undefined ? clusters : [clusterId],
        namespaces,
        after: afterCluster === undefined ? undefined : { clusterId: afterCluster, namespace: afterNamespace },
        limit: limit + 1,
      })
      const { shown, ...rest } = page(rows, limit, (last) =>
        encodeCursor(deps.secrets, scope, [last.cluster_id, last.namespace], deps.now()),
      )
      // Pools belong to the cluster, and one page of them is enough.
      const isWhole = clusterId !== undefined && namespaces === null && afterCluster === undefined
      const pools = isWhole ? { node_pools: await listPoolScaling(deps.db, clusterId) } : {}
      return { policies: shown.map(presentPolicy), defaults: defaultSettings, ...pools, ...rest }
    },
  })

  handle(app, operations.setPolicy, {
    ...allWrongFields(({ cluster_id: id }, request) => wrongCluster(deps.db, request, id)),
    handler: (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { cluster_id: clusterId, settings } = request.body
        const namespace = request.body.namespace ?? ''
        const clusterName = await demandPart(tx, request, clusterId, namespace)
        if (namespace !== '' && settings.node_pool_scaling) throw poolsOfNamespace()
        const now = deps.now()
        const before = await lockPolicy(tx, clusterId, namespace)
        if (before) demandSame(request, presentPolicy(before).etag)
        else demandMatch(request, 0)
        const stored = await writePolicy(tx, { clusterId, namespace }, settings, now)
        // There was no row to lock, and another request was first.
        if (!before && stored) demandMatch(request, stored.revision - 1)
        await enqueue(tx, 'analyse', { clusterId })
        const part = { cluster_name: clusterName, namespace: namespace === '' ? null : namespace }
        const detail = { ...part, settings, settings_before: before?.settings ?? {} }
        await recordChange(deps, tx, request, {
          action: 'policy.set',
          target: { type: 'policy', id: clusterId },
          detail,
        })
        const none = { cluster_id: clusterId, namespace, settings, updated_at: now, revision: 0 }
        const body = presentPolicy(stored ?? none)
        return { status: 200, body, headers: { etag: body.etag } }
      }),
  })
}

function poolsOfNamespace(): Problem {
  const detail = 'node pools belong to a cluster: set node_pool_scaling without a namespace'
  const error = { pointer: '/settings/node_pool_scaling', code: 'not_of_a_namespace', detail }
  return new Problem('invalid_body', `/settings/node_pool_scaling: ${detail}.`, { errors: [error] })
}

/** The name of the cluster. */
async function demandPart(tx: Db, request: FastifyRequest, clusterId: string, namespace: string): Promise<string> {
  const caller = requestCaller(request)
  const cluster = maySeeCluster(caller, clusterId) ? await lockLiveCluster(tx, clusterId) : undefined
  if (!cluster) {
    const error = unknownCluster(clusterId)
    throw new Problem('invalid_body', `/cluster_id: ${error.detail}.`, { errors: [error] })
  }
  if (caller.namespaces?.includes(namespace) ?? true) return cluster.name
  throw new Problem('role_narrowed', 'Your role does not include this namespace.')
}

const presentPolicy = (row: PolicyRow): Policy =>
  withEtag(row.revision, {
    cluster_id: row.cluster_id,
    namespace: row.namespace === '' ? null : row.namespace,
    settings: row.settings,
    updated_at: row.updated_at.toISOString(),
  })
