import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { HelmPath, HelmPathList, ListHelmPathsQuery, PutHelmPathBody } from '@plimsoll/contract'
import { parseValuesPath, workloadKey } from '@plimsoll/engine'
import type { FastifyRequest } from 'fastify'
import type { Static } from 'typebox'
import { changedFields, recordChange } from '../audit.ts'
import { maySeeCluster } from '../auth/caller.ts'
import type { Db } from '../db/database.ts'
import {
  deleteHelmPath,
  lockHelmPath,
  pageHelmPaths,
  writeHelmPath,
  type HelmPathKey,
  type HelmPathRow,
} from '../db/helm-paths.ts'
import { lockLiveCluster } from '../db/ingest.ts'
import { listContainerNames } from '../db/workload-containers.ts'
import { listChartMarks } from '../db/workload-shapes.ts'
import type { Deps } from '../deps.ts'
import { change } from '../http/change.ts'
import { decodeCursor, encodeCursor, page } from '../http/cursor.ts'
import { demandMatch, demandSame, IfMatch, withEtag } from '../http/etag.ts'
import { requestCaller } from '../http/request-caller.ts'
import { trustIn } from '../manifests/declared-paths.ts'
import { proofCommand, provePath, sentinelOf, type Place } from '../manifests/prove-path.ts'
import { Problem } from '../problem.ts'
import { visibleClusterOfQuery } from './cluster-access.ts'

const tags = ['Recommendations']

export const helmPathRoutes: FastifyPluginAsyncTypebox<{ deps: Deps }> = async (app, { deps }) => {
  app.get(
    '/gitops/helm-paths',
    {
      schema: {
        summary: 'Where workloads have their resources in the values of their Helm charts',
        tags,
        querystring: ListHelmPathsQuery,
        response: { 200: HelmPathList },
      },
      preValidation: visibleClusterOfQuery(deps),
    },
    async (request) => {
      const { cluster_id: clusterId, limit, cursor } = request.query
      const { namespaces } = requestCaller(request)
      const scope = { list: 'helm-paths', selection: { clusterId } }
      const after = decodeCursor(deps.secrets, scope, cursor, deps.now())
      const rows = await pageHelmPaths(deps.db, clusterId, { namespaces, after, limit: limit + 1 })
      const { shown, ...rest } = page(rows, limit, (last) =>
        encodeCursor(deps.secrets, scope, partsOf(last), deps.now()),
      )
      const marks = await listChartMarks(deps.db, clusterId, shown.map(workloadOf))
      return { helm_paths: shown.map((row) => present(row, marks)), ...rest }
    },
  )

  app.put(
    '/gitops/helm-paths',
    {
      schema: {
        summary: 'Say where a workload has its resources in the values of its Helm chart',
        description:
          'Manifests in the format `helm` then use it. Without `rendered` the path counts as declared, and the answer says what to run for the proof; with it, the path is proved and counts as verified while the workload comes from the same version of the chart. The cluster must have shown the workload and its container.',
        tags,
        headers: IfMatch,
        body: PutHelmPathBody,
        response: { 200: HelmPath },
      },
    },
    (request, reply) =>
      change(deps, request, reply, async (tx) => {
        const { body } = request
        await demandPart(tx, request, body)
        if (body.values_path !== null) await demandKnown(tx, body)
        const row = rowOf(body, deps.now())
        const before = await lockHelmPath(tx, row)
        const marks = await listChartMarks(tx, row.cluster_id, [workloadOf(row)])
        if (before) demandSame(request, present(before, marks).etag)
        else demandMatch(request, 0)
        const revision = await setHelmPath(tx, row)
        // There was no row to lock, and somebody else was first.
        if (!before && revision > 0) demandMatch(request, revision - 1)
        const target = { type: 'helm_path' as const, id: [row.cluster_id, ...partsOf(row)].join('/') }
        const { namespace, kind, name, container } = body
        const detail = { namespace, kind, name, container, ...changedFields(shownOf(before), shownOf(row)) }
        await recordChange(deps, tx, request, { action: 'helm_path.set', target, detail })
        const shown = present({ ...row, revision }, marks)
        return { status: 200, body: shown, headers: { etag: shown.etag } }
      }),
  )
}

/** An empty path is taken back. Answers with the revision, which is 0 then. */
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

/** What the audit tells of it. */
const shownOf = (row: Pick<HelmPathRow, 'values_path' | 'chart' | 'is_verified'> | undefined) => ({
  values_path: row?.values_path === '' ? null : (row?.values_path ?? null),
  chart: row?.chart ?? null,
  verified: row?.is_verified ?? false,
})

type Body = Static<typeof PutHelmPathBody>

async function demandPart(tx: Db, request: FastifyRequest, { cluster_id: clusterId, namespace }: Body): Promise<void> {
  const caller = requestCaller(request)
  if (!maySeeCluster(caller, clusterId) || !(await lockLiveCluster(tx, clusterId))) {
    refuse('/cluster_id', 'unknown_cluster', 'does not exist')
  }
  if (caller.namespaces?.includes(namespace) ?? true) return
  throw new Problem('role_narrowed', 'Your role is narrowed to some namespaces, and this is not among them.')
}

/** A path for what is not there would never be used, and nobody would notice. What is taken back need not be there. */
async function demandKnown(tx: Db, body: Body): Promise<void> {
  const known = await listContainerNames(tx, body.cluster_id, body)
  if (known.length === 0) {
    refuse('/name', 'unknown_workload', 'the cluster has shown no workload of this namespace, kind and name')
  }
  if (!known.includes(body.container)) refuse('/container', 'unknown_container', 'the workload has no such container')
}

function rowOf(body: Body, now: Date): Omit<HelmPathRow, 'revision'> {
  const { cluster_id, namespace, kind, name, container, values_path: path, chart, rendered } = body
  const parsed = path === null ? undefined : parseValuesPath(path)
  if (path !== null && !parsed) refuse('/values_path', 'path', 'must be a path such as web.resources')
  const proved = parsed && rendered !== undefined ? demandProved(body, rendered, sentinelOf(parsed)) : undefined
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

function demandProved(place: Place, rendered: string, sentinel: string) {
  const proof = provePath(rendered, place, sentinel)
  if (proof.kind === 'proved') return proof
  const details = {
    unreadable: 'is not YAML',
    nowhere: `has ${sentinel} as CPU request of no container: either the chart does not look there, or it was rendered with another value than that for this path`,
    elsewhere: `has ${sentinel} as ${proof.kind === 'elsewhere' ? proof.where : ''} as well or instead`,
  }
  return refuse('/rendered', proof.kind, details[proof.kind])
}

function refuse(pointer: string, code: string, detail: string): never {
  throw new Problem('invalid_body', `${pointer}: ${detail}.`, { errors: [{ pointer, code, detail }] })
}

type Marks = Awaited<ReturnType<typeof listChartMarks>>

const workloadOf = ({ namespace, workload_kind: kind, workload_name: name }: HelmPathKey) => ({ namespace, kind, name })

function present(row: HelmPathRow, marks: Marks): HelmPath {
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
  const mark = marks.get(workloadKey(workloadOf(row)))
  // What a cluster shows of its chart is nobody's edit, and where it shows nothing, nothing speaks against a proof.
  const source = sourceOf(row, mark === undefined ? row.proved_chart : mark)
  return { ...stored, path_source: source, proof: proofOf(row, mark ?? null) }
}

const sourceOf = (row: HelmPathRow, chart: string | null): HelmPath['path_source'] =>
  row.values_path === '' ? 'none' : trustIn(row, chart).source

function proofOf({ values_path: path, namespace, chart }: HelmPathRow, mark: string | null): HelmPath['proof'] {
  const parsed = path === '' ? undefined : parseValuesPath(path)
  if (!parsed) return null
  const sentinel = sentinelOf(parsed)
  return { sentinel, command: proofCommand(path, sentinel, { namespace, chart, mark }) }
}
