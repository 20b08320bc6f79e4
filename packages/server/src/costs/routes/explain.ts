import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type ExplainQuery, type ExplainedResource, operations } from '@plimsoll/contract'
import { RESOURCES } from '@plimsoll/engine'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { detailDaysKept, readAtOnce } from '../../ingest/index.ts'
import type { Deps } from '../../platform/deps.ts'
import { loadExplanation, resourcesOf } from '../explain.ts'
import { parseWindow } from '../parse-window.ts'
import type { Receipt } from '../receipt.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { Problem } from '../../platform/http/problem.ts'
import { demandWholeCluster, visibleCluster } from '../../clusters/index.ts'
import { handle } from '../../platform/http/handle.ts'

export const explainRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.explainCost, {
    preParsing: visibleCluster(deps),
    handler: async (request) => {
      const receipt = readReceipt(request.query)
      demandVisible(request, receipt)
      const window = parseWindow(request.query, deps.now())
      demandKept(receipt, window.from, deps.now())
      return readAtOnce(deps.db, (tx) => loadExplanation(tx, request.params.cluster_id, window, receipt))
    },
  })
}

function readReceipt(query: Static<typeof ExplainQuery>): Receipt {
  const { figure = 'total', resource } = query
  const of = whose(query)
  const possible = resourcesOf({ figure, of })
  if (possible.length === 0) throw refuse('figure', `${figure} does not exist for a ${of.kind}`)
  const asked = resource?.split(',') as ExplainedResource[] | undefined
  const strange = asked?.find((each) => !possible.includes(each))
  if (strange !== undefined) throw refuse('resource', `${figure} of a ${of.kind} cannot be split by ${strange}`)
  return { figure, of, resources: asked ?? possible }
}

function whose({ namespace, workload, node_uid: uid }: Static<typeof ExplainQuery>): Receipt['of'] {
  const isOfTenant = namespace !== undefined || workload !== undefined
  if (isOfTenant && uid !== undefined) {
    throw refuse(
      'node_uid',
      'cannot be combined with a namespace or a workload: cost per workload and node is not stored',
    )
  }
  if (workload !== undefined) {
    if (namespace !== undefined)
      throw refuse('namespace', 'cannot be combined with a workload, which includes its namespace')
    const [ofWorkload = '', kind = '', name = ''] = workload.split('/')
    return { kind: 'workload', workload: { namespace: ofWorkload, kind, name } }
  }
  if (namespace !== undefined) return { kind: 'namespace', namespace }
  return uid === undefined ? { kind: 'cluster' } : { kind: 'node', uid }
}

function demandVisible(request: FastifyRequest, { of }: Receipt): void {
  const namespace = namespaceOf(of)
  const isOwn = namespace !== null && requestCaller(request).namespaces?.includes(namespace)
  if (!isOwn) demandWholeCluster(request)
}

function namespaceOf(of: Receipt['of']): string | null {
  if (of.kind === 'workload') return of.workload.namespace
  return of.kind === 'namespace' ? of.namespace : null
}

/** Deleted hours cannot be shown, and a partial receipt would look complete. */
function demandKept({ of, resources }: Receipt, from: Date, now: Date): void {
  const isKept = from.getTime() >= now.getTime() - detailDaysKept * 86_400_000
  const needsDetail = of.kind === 'workload' || of.kind === 'node' || resources.some((each) => !computed.includes(each))
  if (isKept || !needsDetail) return
  const kept = `hourly data of workloads, nodes, volumes and load balancers is kept for ${detailDaysKept} days`
  throw refuse(
    'window',
    `${kept}; request a shorter window, or for a cluster or a namespace resource=${computed.join(',')}`,
  )
}

const computed: readonly ExplainedResource[] = RESOURCES

const refuse = (parameter: string, detail: string) =>
  new Problem('invalid_parameter', `${parameter}: ${detail}.`, { errors: [{ parameter, code: 'combination', detail }] })
