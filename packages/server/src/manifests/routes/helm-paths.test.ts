import type { HelmPath, ManifestResult } from '@plimsoll/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { aFinding, idsOf } from '../../../test/findings.ts'
import { hostileDocuments } from '../../../test/hostile-yaml.ts'
import { showWorkloads, source } from '../../../test/manifests/shown-workloads.ts'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { expectProblem } from '../../../test/promises.ts'
import { send, useTestApp } from '../../../test/test-app.ts'
import { noteContainersSeen } from '../../ingest/queries/workload-containers.ts'
import { sentinelOf } from '../prove-path.ts'

const t = useTestApp()

let viewer: Person
let editor: Person
let clusterId: string
let id: string

beforeAll(async () => {
  viewer = await aPerson(t, 'viewer')
  editor = await aPerson(t, 'editor')
  clusterId = (await aCluster(t)).clusterId
  await showWorkloads(t, clusterId, [aFinding({ name: 'api' })])
  id = (await idsOf(t, clusterId)).api ?? ''
})

/** The rendering of a chart that takes the CPU request from the path. */
const rendering = (name: string, sentinel: string) => source(name).replace('cpu: "1"', `cpu: ${sentinel}`)

describe('paths in the values of a chart', () => {
  const put = (body: object, person = editor) =>
    send(t, {
      method: 'PUT',
      url: '/api/v1/gitops/helm-paths',
      headers: person.bearer,
      body: { cluster_id: clusterId, namespace: 'shop', kind: 'Deployment', name: 'api', container: 'app', ...body },
    })
  const filesOf = async (helm?: object) => {
    const body = { recommendation_ids: [id], format: 'helm', ...(helm ? { helm } : {}) }
    const response = await send(t, { method: 'POST', url: '/api/v1/gitops/manifests', headers: viewer.bearer, body })
    return response.json<ManifestResult>()
  }

  test('come with the request', async () => {
    const { files, verify } = await filesOf({ values_path: 'back.resources', chart: './my chart' })
    expect(files).toMatchObject([{ path_source: 'declared' }])
    expect(parse(files[0]?.content ?? '')).toEqual({
      back: { resources: { requests: { cpu: '500m', memory: '512Mi' } } },
    })
    expect(verify[0]?.command).toContain(
      'helm template "${RELEASE:?is not set}" \'./my chart\' -n shop ${VALUES:+--values="$VALUES"} -f ',
    )
  })

  test('are stored, verified and deleted', async () => {
    expect((await filesOf()).files).toMatchObject([{ path_source: 'assumed' }])

    const declared = (await put({ values_path: 'server.resources' })).json<HelmPath>()
    expect(declared).toMatchObject({ path_source: 'declared' })
    expect((await filesOf()).files).toMatchObject([{ path_source: 'declared' }])

    const { sentinel = '', command } = declared.proof ?? {}
    expect(command).toBe(
      'helm template "${RELEASE:?is not set}" "${CHART:?is not set}" -n shop ${VALUES:+--values="$VALUES"} ' +
        `--set-string server.resources.requests.cpu=${sentinel}`,
    )
    const proved = await put({
      values_path: 'server.resources',
      rendered: `${source('web')}---\n${rendering('api', sentinel)}`,
    })
    expect(proved.json<HelmPath>()).toMatchObject({ path_source: 'verified' })
    expect((await filesOf()).files).toMatchObject([{ path_source: 'verified' }])

    const list = await send(t, { url: `/api/v1/gitops/helm-paths?cluster_id=${clusterId}`, headers: viewer.bearer })
    expect(list.json()).toMatchObject({ helm_paths: [{ name: 'api', values_path: 'server.resources' }] })

    expect((await put({ values_path: null })).json<HelmPath>()).toMatchObject({
      values_path: null,
      path_source: 'none',
      proof: null,
    })
    expect((await filesOf()).files).toMatchObject([{ path_source: 'assumed' }])
  })

  test('become declared, not verified, when the workload comes from another chart version', async () => {
    const sentinel = sentinelOf(['server', 'resources'])
    const labelled = (chart: string) =>
      rendering('api', sentinel).replace('metadata:\n', `metadata:\n  labels: {helm.sh/chart: ${chart}}\n`)
    const charted = (labels: Record<string, string>) =>
      showWorkloads(t, clusterId, [aFinding({ name: 'api' })], { labels })
    const listed = async () => {
      const list = await send(t, { url: `/api/v1/gitops/helm-paths?cluster_id=${clusterId}`, headers: viewer.bearer })
      const { helm_paths: paths } = list.json<{ helm_paths: HelmPath[] }>()
      return paths.map(({ path_source: of, etag }) => ({ of, etag }))
    }
    const doubtsOf = ({ warnings }: ManifestResult) => warnings.filter(({ code }) => code === 'helm_proof_outdated')
    const proved = await put({ values_path: 'server.resources', rendered: labelled('web-1.0.0') })
    const { etag } = proved.json<HelmPath>()
    expect(proved.json<HelmPath>().path_source).toBe('declared')

    const unlabelled = await filesOf()
    expect(unlabelled.files).toMatchObject([{ path_source: 'declared' }])
    expect(doubtsOf(unlabelled)).toMatchObject([
      {
        message: expect.stringContaining(
          'was verified with chart web-1.0.0, and the workload no longer has a chart label',
        ) as string,
        recommendation_ids: [id],
      },
    ])
    await charted({ 'helm.sh/chart': 'web-1.0.0' })
    const same = await filesOf()
    expect([same.files[0]?.path_source, doubtsOf(same)]).toEqual(['verified', []])
    expect(await listed()).toEqual([{ of: 'verified', etag }])
    await charted({ 'helm.sh/chart': 'web-1.1.0' })
    const newer = await filesOf()
    expect(newer.files[0]?.path_source).toBe('declared')
    // The list shows the same, and a new chart version is not an edit.
    expect(await listed()).toEqual([{ of: 'declared', etag }])
    expect(doubtsOf(newer)[0]?.message).toMatch(
      /^Deployment shop\/api: server\.resources of container app was verified with chart web-1\.0\.0, and the workload now comes from web-1\.1\.0\./,
    )
    await put({ values_path: null })
    await charted({})
  })

  test('are verified with the running chart version, if its label shows it', async () => {
    const labels = { 'helm.sh/chart': 'web-1.2.3_build.4' }
    await showWorkloads(t, clusterId, [aFinding({ name: 'api' })], { labels })
    const { proof } = (await put({ values_path: 'server.resources' })).json<HelmPath>()
    expect(proof?.command).toContain(' -n shop --version 1.2.3+build.4 ${VALUES:+')
    const list = await send(t, { url: `/api/v1/gitops/helm-paths?cluster_id=${clusterId}`, headers: viewer.bearer })
    expect(list.json<{ helm_paths: HelmPath[] }>().helm_paths[0]?.proof?.command).toBe(proof?.command)
    await put({ values_path: null })
    await showWorkloads(t, clusterId, [aFinding({ name: 'api' })])
  })

  test('require a known workload and container, and can be deleted when these are gone', async () => {
    const refusal = async (body: object, person = editor) =>
      (await put({ values_path: 'a.resources', ...body }, person)).json<{ status: number; errors: object[] }>()
    for (const other of [{ name: 'nobody' }, { kind: 'StatefulSet' }, { namespace: 'elsewhere' }]) {
      const { status, errors } = await refusal(other)
      expect([status, errors]).toMatchObject([422, [{ pointer: '/name', code: 'unknown_workload' }]])
    }
    const { errors } = await refusal({ container: 'nothing' })
    expect(errors).toMatchObject([{ pointer: '/container', code: 'unknown_container' }])

    await put({ values_path: 'a.resources' })
    await showWorkloads(t, clusterId, [aFinding({ name: 'api' })], { gone: ['api'] })
    expect((await refusal({})).errors).toMatchObject([{ code: 'unknown_workload' }])
    expect((await put({ values_path: null })).statusCode).toBe(200)

    // A workload with pods and without a recommendation is known as well.
    const key = ['shop', 'Deployment', 'api', 'app'] as const
    await noteContainersSeen(t.db, clusterId, [{ key: [...key], hour: t.deps.now() }])
    expect((await put({ values_path: 'a.resources' })).statusCode).toBe(200)
    await put({ values_path: null })
    await showWorkloads(t, clusterId, [aFinding({ name: 'api' })])
  })

  test('reveal no workloads outside the namespaces of a restricted role', async () => {
    const narrowed = await aPerson(t, await aRole(t, ['recommendations:write'], { namespaces: ['hidden'] }))
    // Neither of the two is revealed.
    for (const name of ['api', 'nobody']) {
      expectProblem(await put({ name, values_path: 'a.resources' }, narrowed), 'role_narrowed')
    }
  })

  test('are rejected before parsing if the caller may not access the target', async () => {
    const narrowed = await aPerson(t, await aRole(t, ['recommendations:write'], { namespaces: ['hidden'] }))
    const other = await aPerson(t, await aRole(t, ['recommendations:write'], { clusters: [] }))
    const body = { values_path: 'a.resources', rendered: '{' }
    expectProblem(await put(body, narrowed), 'role_narrowed')
    const pointers = [await put(body, other), await put({ ...body, name: 'nobody' })].map(
      (response) => response.json<{ errors: { pointer: string }[] }>().errors[0]?.pointer,
    )
    expect(pointers).toEqual(['/cluster_id', '/name'])
  })

  const right = () => sentinelOf(['a', 'resources'])
  test.each([
    ['without the value', () => source('api')],
    ['with the value elsewhere', () => rendering('web', right())],
    ['with the value there and elsewhere', () => `${rendering('api', right())}---\n${rendering('web', right())}`],
    ['with the value twice', () => `${rendering('api', right())}---\n${rendering('api', right())}`],
    ['in another namespace', () => rendering('api', right()).replace('metadata:\n', 'metadata:\n  namespace: x\n')],
    ['of another field', () => source('api').replace('memory: 1Gi', `memory: ${right()}`)],
    ['of another path', () => rendering('api', sentinelOf(['b', 'resources']))],
    ['with the value inside a longer text', () => rendering('api', `"${right()}m"`)],
    ['that is not YAML', () => '{'],
    ['that refers to itself', () => 'a: &a {containers: *a}'],
  ])('are not verified by a rendering %s', async (_what, rendered) => {
    expectProblem(await put({ values_path: 'a.resources', rendered: rendered() }), 'invalid_body')
    const stored = await send(t, { url: `/api/v1/gitops/helm-paths?cluster_id=${clusterId}`, headers: viewer.bearer })
    expect(stored.body).not.toContain('"a.resources"')
  })

  test('are deleted by a rendering that disproves them, and only by that', async () => {
    const stored = async () => {
      const list = await send(t, { url: `/api/v1/gitops/helm-paths?cluster_id=${clusterId}`, headers: viewer.bearer })
      return list.json<{ helm_paths: HelmPath[] }>().helm_paths.map(({ values_path: path }) => path)
    }
    await put({ values_path: 'a.resources' })
    expectProblem(await put({ values_path: 'a.resources', rendered: '{' }), 'invalid_body')
    expectProblem(await put({ values_path: 'b.resources', rendered: source('api') }), 'invalid_body')
    expect(await stored()).toEqual(['a.resources'])

    const response = await put({ values_path: 'a.resources', rendered: rendering('web', right()) })
    expectProblem(response, 'invalid_body')
    expect(response.json()).toMatchObject({
      errors: [
        {
          pointer: '/rendered',
          code: 'elsewhere',
          detail: expect.stringMatching(/stored path was removed$/) as string,
        },
      ],
    })
    expect(await stored()).toEqual([])
    expect((await filesOf()).files).toMatchObject([{ path_source: 'assumed' }])
    const audit = await send(t, { url: '/api/v1/audit?limit=1', headers: (await aPerson(t, 'admin')).bearer })
    expect(audit.body).toContain('helm_path.set')
  })

  test('must not lead into a list', async () => {
    expect((await put({ values_path: 'jobs.0.resources' })).json()).toMatchObject({
      status: 422,
      errors: [{ pointer: '/values_path', code: 'list' }],
    })
  })

  test.each(['many duplicate keys', 'a deep flow sequence', 'an alias bomb', 'thousands of documents'])(
    'are rejected with the limit that the rendering exceeds: %s',
    async (name) => {
      const { text = '', code } = hostileDocuments[name] ?? {}
      const response = await put({ values_path: 'a.resources', rendered: text })
      expect(response.json()).toMatchObject({ status: 422, errors: [{ pointer: '/rendered', code }] })
    },
  )

  test('are listed in pages, and concurrent edits conflict', async () => {
    await put({ values_path: null })
    const names = ['api', 'a', 'b', 'c']
    await showWorkloads(
      t,
      clusterId,
      names.map((name) => aFinding({ name })),
    )
    for (const name of ['b', 'c', 'a']) await put({ name, values_path: 'x.resources' })
    type Page = { helm_paths: HelmPath[]; next_cursor: string | null; has_more: boolean }
    const url = `/api/v1/gitops/helm-paths?cluster_id=${clusterId}&limit=2`
    const first = (await send(t, { url, headers: viewer.bearer })).json<Page>()
    expect(first.helm_paths.map(({ name }) => name)).toEqual(['a', 'b'])
    const next = await send(t, { url: `${url}&cursor=${first.next_cursor}`, headers: viewer.bearer })
    expect(next.json<Page>()).toMatchObject({ helm_paths: [{ name: 'c' }], has_more: false })

    const headers = (etag: unknown) => ({ ...editor.bearer, 'if-match': String(etag) })
    const path = { cluster_id: clusterId, namespace: 'shop', kind: 'Deployment', name: 'a', container: 'app' }
    const edit = (values: string, etag: unknown) =>
      send(t, {
        method: 'PUT',
        url: '/api/v1/gitops/helm-paths',
        headers: headers(etag),
        body: { ...path, values_path: values },
      })
    const { etag } = (await put({ name: 'a', values_path: 'y.resources' })).headers
    // A new chart version is not an edit.
    await showWorkloads(t, clusterId, [aFinding({ name: 'a' })], { labels: { 'helm.sh/chart': 'web-9.0.0' } })
    expect((await edit('z.resources', etag)).statusCode).toBe(200)
    expectProblem(await edit('late.resources', etag), 'precondition_failed')
    const listed = (await send(t, { url, headers: viewer.bearer })).json<Page>().helm_paths[0]
    expect((await edit('listed.resources', listed?.etag)).statusCode).toBe(200)
    for (const name of ['a', 'b', 'c']) await put({ name, values_path: null })
  })

  test('require valid Kubernetes names', async () => {
    expectProblem(await put({ name: '店'.repeat(253), values_path: 'a.resources' }), 'invalid_body')
    expectProblem(await put({ container: 'a b', values_path: 'a.resources' }), 'invalid_body')
  })

  test('cannot be set by viewers, nor for other clusters', async () => {
    expectProblem(await put({ values_path: 'a.resources' }, viewer), 'forbidden')
    expectProblem(await put({ values_path: 'a.resources', cluster_id: 'cls_other' }), 'invalid_body')
  })
})
