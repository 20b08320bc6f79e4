import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ListPoliciesQuery, Policy, PolicyList, PutPolicyBody } from '@plimsoll/contract'
import type { FastifyRequest } from 'fastify'
import { recordChange } from '../audit.ts'
import { maySeeCluster } from '../auth/caller.ts'
import type { Db } from '../db/database.ts'
import { lockLiveCluster } from '../db/ingest.ts'
import { enqueue } from '../db/job-queue.ts'
import { listPolicies, writePolicy, type PolicyRow } from '../db/policies.ts'
import type { Deps } from '../deps.ts'
import { change } from '../http/change.ts'
import { requestCaller } from '../http/request-caller.ts'
import { Problem } from '../problem.ts'
import { defaultSettings } from '../recommendations/policy-settings.ts'
import { visibleClusterOfQuery } from './cluster-access.ts'

const tags = ['Recommendations']

export const policyRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.get(
    '/policies',
    {
      schema: {
        summary: 'How careful recommendations have to be',
        description: 'What is set for a namespace beats what is set for its cluster, and that beats the defaults.',
        tags,
        querystring: ListPoliciesQuery,
        response: { 200: PolicyList },
      },
      preValidation: visibleClusterOfQuery(deps),
    },
    async (request) => {
      const rows = await listPolicies(deps.db, request.query.cluster_id)
      const { namespaces } = requestCaller(request)
      // What holds for the whole cluster holds for a part of it.
      const shown = rows.filter(({ namespace }) => namespace === '' || (namespaces?.includes(namespace) ?? true))
      return { policies: shown.map(presentPolicy), defaults: defaultSettings }
    },
  )

  app.put(
    '/policies',
    {
      schema: {
        summary: 'Set how careful recommendations have to be in a cluster or a namespace',
        description: 'Replaces what was set there. The next analysis follows it; it is started at once.',
        tags,
        body: PutPolicyBody,
        response: { 200: Policy },
      },
    },
    (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { cluster_id: clusterId, settings } = request.body
        const namespace = request.body.namespace ?? ''
        const clusterName = await demandPart(tx, request, clusterId, namespace)
        const now = deps.now()
        await writePolicy(tx, { clusterId, namespace }, settings, now)
        await enqueue(tx, 'analyse', { clusterId }, { key: `analyse ${clusterId}` })
        const detail = { cluster_name: clusterName, namespace: namespace === '' ? null : namespace, settings }
        await recordChange(deps, tx, request, {
          action: 'policy.set',
          target: { type: 'policy', id: clusterId },
          detail,
        })
        const body = presentPolicy({ cluster_id: clusterId, namespace, settings, updated_at: now })
        return { status: 200, body }
      }),
  )
}

/** The name of the cluster. */
async function demandPart(tx: Db, request: FastifyRequest, clusterId: string, namespace: string): Promise<string> {
  const caller = requestCaller(request)
  const cluster = maySeeCluster(caller, clusterId) ? await lockLiveCluster(tx, clusterId) : undefined
  if (!cluster) {
    throw new Problem('invalid_body', `/cluster_id: there is no cluster ${clusterId}.`, {
      errors: [{ pointer: '/cluster_id', code: 'unknown_cluster', detail: 'does not exist' }],
    })
  }
  if (caller.namespaces?.includes(namespace) ?? true) return cluster.name
  throw new Problem('role_narrowed', 'Your role is narrowed to some namespaces, and this is not among them.')
}

const presentPolicy = (row: Omit<PolicyRow, 'revision'>): Policy => ({
  cluster_id: row.cluster_id,
  namespace: row.namespace === '' ? null : row.namespace,
  settings: row.settings,
  updated_at: row.updated_at.toISOString(),
})
