import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type HelmPath, type PutHelmPathBody, operations } from '@plimsoll/contract'
import { leadsIntoList, parseValuesPath, workloadKey } from '@plimsoll/engine/manifests'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { changedFields, recordChange } from '../../audit/index.ts'
import { callerIdOf, maySeeCluster } from '../../platform/auth/caller.ts'
import type { Db } from '../../platform/db/database.ts'
import {
  deleteHelmPath,
  lockHelmPath,
  pageHelmPaths,
  writeHelmPath,
  type HelmPathKey,
  type HelmPathRow,
} from '../queries/helm-paths.ts'
import { lockLiveCluster, visibleClusterOfQuery } from '../../clusters/index.ts'
import { listContainerNames } from '../../ingest/index.ts'
import { listChartLabels } from '../../recommendations/index.ts'
import type { Deps } from '../../platform/deps.ts'
import { change, transactAsCaller } from '../../platform/http/change.ts'
import { decodeCursor, encodeCursor, page } from '../../platform/http/cursor.ts'
import { demandMatch, demandSame, withEtag } from '../../platform/http/etag.ts'
import { requestCaller } from '../../platform/http/request-caller.ts'
import { trustIn } from '../declared-paths.ts'
import { isDisproof, proofProblem, type Proved } from '../proof-problem.ts'
import { proofCommand } from '../proof-command.ts'
import { sentinelOf } from '../prove-path.ts'
import { ParseThreads, type ParseLimits } from '../parsing/parse-threads.ts'
import { Problem } from '../../platform/http/problem.ts'
import { handle } from '../../platform/http/handle.ts'

type Options = { deps: Deps; parseLimits: Partial<ParseLimits> }

export const helmPathRoutes: FastifyPluginAsyncTypebox<Options> = async (app, { deps, parseLimits }) => {
  const threads = new ParseThreads(parseLimits)
  app.addHook('onClose', () => threads.close())

  /** Undefined without a rendering: the path is then declared. */
  async function prove(path: readonly string[], request: FastifyRequest<{ Body: Body }>): Promise<Proved | undefined> {
    const { rendered, ...place } = request.body
    if (rendered === undefined) return undefined
    const sentinel = sentinelOf(path)
    const proof = await threads.prove(callerIdOf(requestCaller(request)), { rendered, place, sentinel })
    if (proof.kind === 'proved') return proof
    const isRemoved = isDisproof(proof) && (await transactAsCaller(deps, request, (tx) => withdraw(deps, tx, request)))
    throw proofProblem(proof, sentinel, isRemoved)
  }

  handle(app, operations.listHelmPaths, {
    preValidation: visibleClusterOfQuery(deps),
    handler: async (request) => {
      const { cluster_id: clusterId, limit, cursor } = request.query
      const { namespaces } = requestCaller(request)
      const scope = { list: 'helm-paths', selection: { clusterId } }
      const after = decodeCursor(deps.secrets, scope, cursor, deps.now())
      const rows = await pageHelmPaths(deps.db, clusterId, { namespaces, after, limit: limit + 1 })
      const { shown, ...rest } = page(rows, limit, (last) =>
        encodeCursor(deps.secrets, scope, partsOf(last), deps.now()),
      )
      const chartLabels = await listChartLabels(deps.db, clusterId, shown.map(workloadOf))
      return { helm_paths: shown.map((row) => present(row, chartLabels)), ...rest }
    },
  })

  handle(app, operations.setHelmPath, {
    handler: async (request, reply): Promise<HelmPath> => {
      const { body } = request
      const path = readPath(body.values_path)
      // Parsing runs only for callers that may change the path of an existing workload.
      if (path && body.rendered !== undefined) await demandTarget(deps.db, request)
      const proved = path && (await prove(path, request))
      return change(deps, request, reply, async (tx) => {
        await demandTarget(tx, request)
        const row = rowOf(body, proved, deps.now())
        const before = await lockHelmPath(tx, row)
        const chartLabels = await listChartLabels(tx, row.cluster_id, [workloadOf(row)])
        if (before) demandSame(request, present(before, chartLabels).etag)
        else demandMatch(request, 0)
        const revision = await setHelmPath(tx, row)
        // There was no row to lock, and another request was first.
        if (!before && revision > 0) demandMatch(request, revision - 1)
        await recordPath(deps, tx, request, { before, after: row })
        const shown = present({ ...row, revision }, chartLabels)
        return { status: 200, body: shown, headers: { etag: shown.etag } }
      })
    },
  })
}

/** An empty path is deleted. Returns the revision, which is then 0. */
async function setHelmPath(tx: Db, row: Omit<HelmPathRow, 'revision'>): Promise<number> {
  if (row.values_path !== '') return writeHelmPath(tx, row)
  await deleteHelmPath(tx, row)
  return 0
}

const partsOf = ({ namespace, workload_kind: kind, workload_name: name, container }: HelmPathKey): string[] => [
  namespace,
  kind,
  name,
  container,
]

/** The fields in the audit. */
const shownOf = (row: Pick<HelmPathRow, 'values_path' | 'chart' | 'is_verified'> | undefined) => ({
  values_path: row?.values_path === '' ? null : (row?.values_path ?? null),
  chart: row?.chart ?? null,
  verified: row?.is_verified ?? false,
})

type Body = Static<typeof PutHelmPathBody>

type Edit = { before: HelmPathRow | undefined; after: Omit<HelmPathRow, 'revision'> | undefined }

async function recordPath(deps: Deps, tx: Db, request: FastifyRequest<{ Body: Body }>, edit: Edit): Promise<void> {
  const { cluster_id, namespace, kind, name, container } = request.body
  const target = { type: 'helm_path' as const, id: [cluster_id, namespace, kind, name, container].join('/') }
  const changed = changedFields(shownOf(edit.before), shownOf(edit.after))
  const detail = { namespace, kind, name, container, ...changed }
  await recordChange(deps, tx, request, { action: 'helm_path.set', target, detail })
}

async function demandTarget(tx: Db, request: FastifyRequest<{ Body: Body }>): Promise<void> {
  await demandPart(tx, request, request.body)
  if (request.body.values_path !== null) await demandKnown(tx, request.body)
}

async function demandPart(tx: Db, request: FastifyRequest, { cluster_id: clusterId, namespace }: Body): Promise<void> {
  const caller = requestCaller(request)
  if (!maySeeCluster(caller, clusterId) || !(await lockLiveCluster(tx, clusterId))) {
    refuse('/cluster_id', 'unknown_cluster', 'does not exist')
  }
  if (caller.namespaces?.includes(namespace) ?? true) return
  throw new Problem('role_narrowed', 'Your role does not include this namespace.')
}

/** A path for an unknown workload would never be used, without notice. A deletion needs no workload. */
async function demandKnown(tx: Db, body: Body): Promise<void> {
  const known = await listContainerNames(tx, body.cluster_id, body)
  if (known.length === 0) {
    refuse('/name', 'unknown_workload', 'the cluster has no workload with this namespace, kind and name')
  }
  if (!known.includes(body.container)) refuse('/container', 'unknown_container', 'the workload has no such container')
}

function readPath(text: string | null): readonly string[] | undefined {
  if (text === null) return undefined
  const path = parseValuesPath(text) ?? refuse('/values_path', 'path', 'must be a path such as web.resources')
  if (leadsIntoList(path)) {
    refuse('/values_path', 'list', 'leads into a list, and a values file replaces the whole list')
  }
  return path
}

function rowOf(body: Body, proved: Proved | undefined, now: Date): Omit<HelmPathRow, 'revision'> {
  const { cluster_id, namespace, kind, name, container, values_path: path, chart } = body
  return {
    cluster_id,
    namespace,
    workload_kind: kind,
    workload_name: name,
    container,
    values_path: path ?? '',
    chart: chart ?? null,
    is_verified: proved !== undefined,
    proved_chart: proved?.chart ?? null,
    updated_at: now,
  }
}

/** A path that its own rendering disproves must not stay in use. False: another path or none is stored. */
async function withdraw(deps: Deps, tx: Db, request: FastifyRequest<{ Body: Body }>): Promise<boolean> {
  const { body } = request
  await demandPart(tx, request, body)
  const before = await lockHelmPath(tx, rowOf(body, undefined, deps.now()))
  if (before?.values_path !== body.values_path) return false
  const chartLabels = await listChartLabels(tx, before.cluster_id, [workloadOf(before)])
  demandSame(request, present(before, chartLabels).etag)
  await deleteHelmPath(tx, before)
  await recordPath(deps, tx, request, { before, after: undefined })
  return true
}

function refuse(pointer: string, code: string, detail: string): never {
  throw new Problem('invalid_body', `${pointer}: ${detail}.`, { errors: [{ pointer, code, detail }] })
}

type ChartLabels = Awaited<ReturnType<typeof listChartLabels>>

const workloadOf = ({ namespace, workload_kind: kind, workload_name: name }: HelmPathKey) => ({ namespace, kind, name })

function present(row: HelmPathRow, chartLabels: ChartLabels): HelmPath {
  const stored = withEtag(row.revision, {
    cluster_id: row.cluster_id,
    namespace: row.namespace,
    kind: row.workload_kind,
    name: row.workload_name,
    container: row.container,
    values_path: row.values_path === '' ? null : row.values_path,
    chart: row.chart,
    path_source: sourceOf(row, row.proved_chart),
    updated_at: row.updated_at.toISOString(),
  })
  const chartLabel = chartLabels.get(workloadKey(workloadOf(row)))
  // A chart version from the cluster is not an edit, and an unknown version does not contradict a proof.
  const source = sourceOf(row, chartLabel === undefined ? row.proved_chart : chartLabel)
  return { ...stored, path_source: source, proof: proofOf(row, chartLabel ?? null) }
}

const sourceOf = (row: HelmPathRow, chart: string | null): HelmPath['path_source'] =>
  row.values_path === '' ? 'none' : trustIn(row, chart).source

function proofOf({ values_path: path, namespace, chart }: HelmPathRow, chartLabel: string | null): HelmPath['proof'] {
  const parsed = path === '' ? undefined : parseValuesPath(path)
  if (!parsed) return null
  const sentinel = sentinelOf(parsed)
  return { sentinel, command: proofCommand(path, sentinel, { namespace, chart, chartLabel }) }
}
