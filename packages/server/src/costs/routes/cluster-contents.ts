import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operations } from '@plimsoll/contract'
import { readAtOnce } from '../../ingest/index.ts'
import type { WorkloadKey } from '../queries/workload-costs.ts'
import type { Deps } from '../../platform/deps.ts'
import { loadDataQuality } from '../data-quality.ts'
import { loadNodes } from '../node-list.ts'
import { parseWindow, presentWindow, type HourWindow, type WindowQuery as Asked } from '../parse-window.ts'
import { presentPartial } from '../shown-cover.ts'
import { loadWorkloads } from '../workload-list.ts'
import { decodeCursor, encodeCursor, page, type CursorScope } from '../../platform/http/cursor.ts'
import { visibleCluster, visibleNamespaces, wholeCluster } from '../../clusters/index.ts'
import { handle } from '../../platform/http/handle.ts'

export const clusterContentRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  const findFirst = visibleCluster(deps)

  handle(app, operations.listNodes, {
    preParsing: [findFirst, wholeCluster],
    handler: async (request) => {
      const { cluster_id: clusterId } = request.params
      const { limit, cursor, state, ...asked } = request.query
      const list = openList(deps, { list: 'nodes', selection: { clusterId, state, ...asked } }, cursor, asked)
      const [name, uid] = list.after ?? []
      const after = name === undefined || uid === undefined ? undefined : { name, uid }
      const { nodes, cover } = await readAtOnce(deps.db, (tx) =>
        loadNodes(tx, clusterId, list.window, { state, after, limit: limit + 1 }),
      )
      const { shown, ...rest } = page(nodes, limit, (last) => list.next([last.name, last.uid]))
      return {
        cluster_id: clusterId,
        window: presentWindow(list.window),
        ...presentPartial([cover]),
        currency: 'USD',
        nodes: shown,
        ...rest,
      }
    },
  })

  handle(app, operations.listWorkloads, {
    preParsing: findFirst,
    handler: async (request) => {
      const { cluster_id: clusterId } = request.params
      const { limit, cursor, namespace, ...asked } = request.query
      const scope = { list: 'workloads', selection: { clusterId, namespace, ...asked } }
      const list = openList(deps, scope, cursor, asked)
      const namespaces = visibleNamespaces(request, namespace?.split(','))
      const { workloads, cover } = await readAtOnce(deps.db, (tx) =>
        loadWorkloads(tx, clusterId, list.window, { namespaces, after: workloadKey(list.after), limit: limit + 1 }),
      )
      const { shown, ...rest } = page(workloads, limit, ({ row }) =>
        list.next([row.cost, row.namespace, row.kind, row.name]),
      )
      return {
        cluster_id: clusterId,
        window: presentWindow(list.window),
        ...presentPartial([cover]),
        currency: 'USD',
        workloads: shown.map((workload) => workload.shown),
        ...rest,
      }
    },
  })

  handle(app, operations.getDataQuality, {
    preParsing: [findFirst, wholeCluster],
    handler: async (request) => {
      const window = parseWindow(request.query, deps.now())
      return readAtOnce(deps.db, (tx) => loadDataQuality(tx, request.params.cluster_id, window, deps.now()))
    },
  })
}

/** The cursor contains the window: all pages of one list cover the same hours, even when an hour ends meanwhile. */
function openList(deps: Deps, scope: CursorScope, cursor: string | undefined, asked: Asked) {
  const [from, to, ...after] = decodeCursor(deps.secrets, scope, cursor, deps.now()) ?? []
  const now = parseWindow(asked, deps.now())
  const window: HourWindow =
    from === undefined || to === undefined ? now : { name: now.name, from: new Date(from), to: new Date(to) }
  const next = (key: string[]) =>
    encodeCursor(deps.secrets, scope, [window.from.toISOString(), window.to.toISOString(), ...key], deps.now())
  return { window, after: cursor === undefined ? undefined : after, next }
}

function workloadKey(after: readonly string[] | undefined): WorkloadKey | undefined {
  if (!after) return undefined
  const [cost = '0', namespace = '', kind = '', name = ''] = after
  return { cost, namespace, kind, name }
}
