import { Readable } from 'node:stream'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { operations } from '@plimsoll/contract'
import { dayMs, hourMs } from '@plimsoll/engine'
import type { FastifyRequest } from 'fastify'
import { listVisibleClusters, visibleClusterOfQuery } from '../../clusters/index.ts'
import { detailStart, parseWindow, type HourWindow } from '../../costs/index.ts'
import { usageDaysKept } from '../../ingest/index.ts'
import { callerIdOf, seesWholeClusters } from '../../platform/auth/caller.ts'
import { closingSignal } from '../../platform/http/closing-signal.ts'
import { handle } from '../../platform/http/handle.ts'
import { Problem } from '../../platform/http/problem.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import type { ExportDeps } from '../exporting.ts'
import type { FocusRequest } from '../focus/focus-request.ts'

const mediaTypes = { csv: 'text/csv; charset=utf-8', parquet: 'application/vnd.apache.parquet' } as const

export const focusRoutes: FastifyPluginAsyncTypebox<{ deps: ExportDeps }> = async (app, { deps }) => {
  handle(app, operations.exportFocus, {
    preParsing: visibleClusterOfQuery(deps),
    handler: async (request, reply) => {
      demandWholeClusters(request)
      const { query } = request
      const { version = '1.2', format = 'csv', level = 'workload', step = 'day', billed = 'none' } = query
      const window = parseWindow(query, deps.now())
      demandNoTagsOfPods(level, query.tags)
      demandStored({ window, level, step }, deps.now())
      const caller = requestCaller(request)
      const visible = await listVisibleClusters(deps.db, caller.clusters)
      const asked: FocusRequest = {
        ...{ version, format, level, step, billed, from: window.from, to: window.to },
        tags: query.tags?.split(',') ?? [],
        clusterIds: visible
          .map(({ id }) => id)
          .filter((id) => query.cluster_id === undefined || id === query.cluster_id),
        publicUrl: deps.settings.publicUrl,
      }
      const requester = { callerId: callerIdOf(caller), signal: closingSignal(reply) }
      const { bytes } = await deps.exporting.stream(asked, requester)
      const name = `focus-${version}-${dayOf(window.from)}-${dayOf(window.to)}.${format}`
      return reply
        .type(mediaTypes[format])
        .header('content-disposition', `attachment; filename="${name}"`)
        .send(Readable.from(await started(bytes), { objectMode: false }))
    },
  })
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** A failure before the first byte is a problem, not a broken file. */
async function started(bytes: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const iterator = bytes[Symbol.asyncIterator]()
  const first = await iterator.next()
  return (async function* () {
    if (first.done !== true) yield first.value
    yield* { [Symbol.asyncIterator]: () => iterator }
  })()
}

/** The first whole hour whose pods are stored. */
const podsStart = (now: Date) => {
  const oldest = now.getTime() - usageDaysKept.pod_hour * dayMs
  return new Date(Math.ceil(oldest / hourMs) * hourMs)
}

function demandStored(
  { window, level, step }: { window: HourWindow } & Pick<FocusRequest, 'level' | 'step'>,
  now: Date,
): void {
  if (level !== 'pod' && step !== 'hour') return
  const from = level === 'pod' ? podsStart(now) : detailStart(now)
  if (window.from >= from) return
  const [parameter, what] = level === 'pod' ? (['level', 'Pods'] as const) : (['step', 'Hours'] as const)
  const detail = `${what.toLowerCase()} are stored since ${from.toISOString()}; request a later window`
  const errors = [{ parameter, code: 'not_stored', detail }]
  throw new Problem('detail_not_stored', `${what} are stored since ${from.toISOString()}. Request a later window.`, {
    errors,
  })
}

/** The labels of pods are not stored by hour: a team would silently be missing. */
function demandNoTagsOfPods(level: FocusRequest['level'], tags: string | undefined): void {
  if (level !== 'pod' || tags === undefined) return
  const detail = 'cannot be combined with the level `pod`, because labels are stored by workload'
  throw new Problem('invalid_parameter', `tags: ${detail}.`, {
    errors: [{ parameter: 'tags', code: 'combination', detail }],
  })
}

function demandWholeClusters(request: FastifyRequest): void {
  if (seesWholeClusters(requestCaller(request))) return
  throw new Problem(
    'role_narrowed',
    'Your role is limited to some namespaces. A FOCUS export needs a role for whole clusters.',
  )
}
