import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operations } from '@plimsoll/contract'
import { type AskedWorkload, readWorkloads } from '@plimsoll/pipeline/estimates'
import { wrongCluster } from '../../clusters/index.ts'
import type { Deps } from '../../platform/deps.ts'
import { handle } from '../../platform/http/handle.ts'
import { Problem, quoted, type FieldError } from '../../platform/http/problem.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'

export const estimateRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  handle(app, operations.estimateChange, {
    handler: async (request) => {
      const { cluster_id: clusterId, workloads: asked } = request.body
      const unknown = await wrongCluster(deps.db, request, clusterId)
      const read = readWorkloads(asked)
      if (unknown.length > 0 || read.kind === 'invalid') {
        throw invalid([...unknown, ...(read.kind === 'invalid' ? read.errors : [])])
      }
      const { namespaces } = requestCaller(request)
      if (namespaces !== null) demandNamespaces(read.workloads, namespaces)
      const { workloads } = read
      const answer = await deps.previewing.estimate({ clusterId, workloads, seesNodes: namespaces === null })
      if (!answer) throw new Problem('cluster_not_reported', 'The cluster has not sent data yet. Check its agent.')
      return answer
    },
  })
}

const errorsShown = 20

function invalid(errors: readonly FieldError[]): Problem {
  const shown = errors.slice(0, errorsShown)
  const [first] = shown
  const field = (first?.pointer ?? '').slice(1).replaceAll('/', '.')
  return new Problem('invalid_body', `${field}: ${first?.detail ?? ''}.`, { errors: shown })
}

function demandNamespaces(workloads: readonly AskedWorkload[], visible: readonly string[]): void {
  const other = workloads.find(({ namespace }) => !visible.includes(namespace))
  if (!other) return
  throw new Problem('role_narrowed', `Your role does not cover namespace ${quoted(other.namespace)}.`)
}
