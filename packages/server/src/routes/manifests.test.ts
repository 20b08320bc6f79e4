import { gunzipSync } from 'node:zlib'
import type { HelmPath, ManifestResult } from '@plimsoll/contract'
import type { LiveWorkload, RuleFinding } from '@plimsoll/engine'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { aFinding, analysed, idsOf } from '../../test/findings.ts'
import { firstObject, liveOf } from '../../test/manifests/from-source.ts'
import { workload } from '../../test/manifests/corpus.ts'
import { aCluster, aPerson, aRole, type Person } from '../../test/people.ts'
import { expectProblem } from '../../test/promises.ts'
import { send, useTestApp } from '../../test/test-app.ts'
import { writeWorkloadShapes } from '../db/workload-shapes.ts'

const t = useTestApp()

let viewer: Person
let editor: Person
let clusterId: string
let clusterName: string
let ids: Record<string, string>

const source = (name: string) =>
  workload(
    'Deployment',
    name,
    '\ncontainers:\n- {name: app, image: a, resources: {requests: {cpu: "1", memory: 1Gi}}}\n',
  )

const shapeOf = (name: string, namespace: string): LiveWorkload | null => {
  const live = liveOf(firstObject(source(name)))
  return live ? { ...live, namespace } : null
}

/** As an analysis writes them, which the tests of the job prove. */
async function shown(cluster: string, findings: RuleFinding[], gone: string[] = []) {
  await analysed(t, cluster, { findings })
  const shapes = findings.map(({ target: { namespace, name } }) => ({
    namespace,
    kind: 'Deployment',
    name,
    shape: gone.includes(name) ? null : shapeOf(name, namespace),
  }))
  await t.db.transaction().execute((tx) => writeWorkloadShapes(tx, cluster, shapes))
}

beforeAll(async () => {
  viewer = await aPerson(t, 'viewer')
  editor = await aPerson(t, 'editor')
  const cluster = await aCluster(t)
  clusterId = cluster.clusterId
  clusterName = cluster.name
  const names = ['web', 'api', 'db', 'no', 'left']
  const namespaceOf = (name: string) => (name === 'db' ? 'hidden' : 'shop')
  await shown(
    clusterId,
    names.map((name) => aFinding({ name, namespace: namespaceOf(name) })),
    ['left'],
  )
  ids = await idsOf(t, clusterId)
  for (const [name, action] of [
    ['web', 'approve'],
    ['no', 'reject'],
  ]) {
    const url = `/api/v1/recommendations/${ids[name ?? '']}/${action}`
    expect((await send(t, { method: 'POST', url, headers: editor.bearer })).statusCode).toBe(200)
  }
})

const idOf = (name: string) => ids[name] ?? ''
const post = (body: unknown, person = viewer, more: { query?: string; headers?: Record<string, string> } = {}) =>
  send(t, {
    method: 'POST',
    url: `/api/v1/gitops/manifests${more.query ?? ''}`,
    headers: { ...person.bearer, ...more.headers },
    body,
  })

async function rendered(names: string[], format = 'strategic-merge', person = viewer): Promise<ManifestResult> {
  const response = await post({ recommendation_ids: names.map(idOf), format }, person)
  expect(response.statusCode, response.body).toBe(200)
  return response.json()
}

test('a viewer gets files that hold the change, how to apply it, how to verify it, and a pull request', async () => {
  const result = await rendered(['web', 'db'])
  expect(result).toMatchObject({
    format: 'strategic-merge',
    files: [
      { path: `plimsoll/${clusterName}/hidden/deployment-db.patch.yaml`, recommendation_ids: [idOf('db')] },
      {
        path: `plimsoll/${clusterName}/shop/deployment-web.patch.yaml`,
        media_type: 'application/yaml',
        target: { cluster_id: clusterId, api_version: 'apps/v1', kind: 'Deployment', namespace: 'shop', name: 'web' },
        path_source: null,
      },
    ],
    skipped: [],
    warnings: [],
    pull_request: { title: 'Right-size db, web (about $20.00 a month)' },
  })
  expect(parse(result.files[1]?.content ?? '')).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' },
    spec: {
      template: { spec: { containers: [{ name: 'app', resources: { requests: { cpu: '500m', memory: '512Mi' } } }] } },
    },
  })
  expect(result.files[1]?.content).toContain('cpu: "500m"')
  expect(result.manifest).toContain(`# plimsoll/${clusterName}/shop/deployment-web.patch.yaml\n`)
  expect(result.apply.map(({ tool }) => tool)).toEqual(['kubectl-local', 'kubectl', 'kubectl-local', 'kubectl'])
  expect(result.verify.every(({ expect: answer }) => answer === 'yes')).toBe(true)
  expect(result.pull_request.body).toContain('| Ask for less in web |')
})

test.each(['json-patch', 'strategic-merge', 'kustomize', 'yaml', 'helm'])(
  '%s: the same request gives the same bytes, whatever the order',
  async (format) => {
    const body = async (names: string[]) => (await post({ recommendation_ids: names.map(idOf), format })).body
    expect(await body(['db', 'web', 'api', 'web'])).toBe(await body(['web', 'api', 'db']))
  },
)

test('one file is the manifest itself', async () => {
  const { manifest, files } = await rendered(['web'], 'json-patch')
  expect(manifest).toBe(files[0]?.content)
  expect(JSON.parse(manifest)).toContainEqual({ op: 'test', path: '/metadata/name', value: 'web' })
})

test('each id ends in a file or among the skipped, with a code and what to do', async () => {
  const unknown = `rec_${clusterId.slice(4)}${'0'.repeat(26)}`
  const wanted = [...['web', 'no', 'left'].map(idOf), unknown, 'nonsense', "'; drop table recommendation --"]
  const response = await post({ recommendation_ids: wanted, format: 'json-patch' })
  const { files, skipped } = response.json<ManifestResult>()
  expect(files.flatMap(({ recommendation_ids }) => recommendation_ids)).toEqual([idOf('web')])
  const codes = Object.fromEntries(skipped.map(({ recommendation_id, code }) => [recommendation_id, code]))
  expect(codes).toEqual({
    [idOf('no')]: 'rejected',
    [idOf('left')]: 'workload_gone',
    [unknown]: 'not_found',
    nonsense: 'not_found',
    "'; drop table recommendation --": 'not_found',
  })
})

test('a role sees its clusters and namespaces only; the rest is not found and no name is told', async () => {
  const narrow = await aPerson(t, await aRole(t, ['recommendations:read'], { namespaces: ['shop'] }))
  const elsewhere = await aPerson(t, await aRole(t, ['recommendations:read'], { clusters: ['cls_other'] }))
  const one = await rendered(['web', 'db'], 'kustomize', narrow)
  expect(one.skipped).toMatchObject([{ recommendation_id: idOf('db'), code: 'not_found' }])
  expect(JSON.stringify(one)).not.toContain('hidden')
  const none = await rendered(['web', 'db'], 'kustomize', elsewhere)
  expect(none.files).toEqual([])
  expect(JSON.stringify(none)).not.toMatch(new RegExp(`${clusterName}|web|shop`))
})

test('recommendations of several clusters lie in one directory each', async () => {
  const other = await aCluster(t, 'Zweiter Cluster/../..')
  await shown(other.clusterId, [aFinding({ name: 'web' })])
  const id = (await idsOf(t, other.clusterId)).web
  const response = await post({ recommendation_ids: [idOf('web'), id], format: 'yaml' })
  const { files, apply } = response.json<ManifestResult>()
  expect(files.map(({ path }) => path).toSorted()).toEqual([
    `plimsoll/${clusterName}/shop/deployment-web.yaml`,
    expect.stringMatching(/^plimsoll\/zweiter-cluster-[0-9a-f]{8}\/shop\/deployment-web\.yaml$/),
  ])
  expect(apply.map(({ command }) => command).join('\n')).toContain("--context='Zweiter Cluster/../..'")
})

describe('the archive', () => {
  test.each([
    ['asked for in the address', { query: '?archive=tar' }],
    ['accepted', { headers: { accept: 'application/x-tar+gzip' } }],
  ])('is the directory as it should lie in Git, when %s', async (_how, more) => {
    const body = { recommendation_ids: ['web', 'db'].map(idOf), format: 'kustomize' }
    const response = await post(body, viewer, more)
    expect(response.headers['content-type']).toBe('application/x-tar+gzip')
    expect(response.headers['content-disposition']).toBe('attachment; filename="plimsoll-kustomize.tar.gz"')
    const { files } = (await post(body)).json<ManifestResult>()
    expect(untar(gunzipSync(response.rawPayload))).toEqual(files.map(({ path, content }) => ({ path, content })))
    expect((await post(body, viewer, more)).rawPayload.equals(response.rawPayload)).toBe(true)
  })

  test('is not sent for another word', async () => {
    expectProblem(
      await post({ recommendation_ids: ['x'], format: 'yaml' }, viewer, { query: '?archive=zip' }),
      'invalid_parameter',
    )
  })
})

function untar(bytes: Buffer): { path: string; content: string }[] {
  const files: { path: string; content: string }[] = []
  const text = (from: number, to: number) => bytes.toString('utf8', from, to).replace(/\0.*$/s, '')
  for (let at = 0; bytes[at] !== 0;) {
    const size = parseInt(text(at + 124, at + 136), 8)
    const path = `${text(at + 345, at + 500)}/${text(at, at + 100)}`
    files.push({ path, content: bytes.toString('utf8', at + 512, at + 512 + size) })
    at += 512 * (1 + Math.ceil(size / 512))
  }
  return files
}

describe('bad input', () => {
  test('an unknown format is refused with the five that there are', async () => {
    const response = await post({ recommendation_ids: ['x'], format: 'toml' })
    expectProblem(response, 'invalid_body')
    expect(response.json()).toMatchObject({
      detail: '/format: must be one of json-patch, strategic-merge, helm, kustomize, yaml, got "toml".',
    })
  })

  test.each([
    ['no ids', { recommendation_ids: [], format: 'yaml' }],
    ['501 ids', { recommendation_ids: Array.from({ length: 501 }, (_, n) => `rec_${n}`), format: 'yaml' }],
    ['ids that are no text', { recommendation_ids: [7], format: 'yaml' }],
    ['an unknown field', { recommendation_ids: ['x'], format: 'yaml', fromat: 'helm' }],
    ['a path that is none', { recommendation_ids: ['x'], format: 'helm', helm: { values_path: 'a..b' } }],
    ['a path with a command', { recommendation_ids: ['x'], format: 'helm', helm: { values_path: '$(id)' } }],
    ['a chart that is an option', { recommendation_ids: ['x'], format: 'helm', helm: { chart: '--post-renderer=x' } }],
  ])('%s is refused', async (_what, body) => {
    expectProblem(await post(body), 'invalid_body')
  })

  test('500 ids are taken, whatever they are', async () => {
    const response = await post({
      recommendation_ids: Array.from({ length: 500 }, (_, n) => `rec_${n}`),
      format: 'yaml',
    })
    expect(response.json<ManifestResult>().skipped).toHaveLength(500)
  })

  test('one path for several containers is refused', async () => {
    const response = await post({
      recommendation_ids: ['web', 'db'].map(idOf),
      format: 'helm',
      helm: { values_path: 'a.resources' },
    })
    expectProblem(response, 'invalid_body')
  })
})

describe('paths in the values of a chart', () => {
  const put = (body: object, person = editor) =>
    send(t, {
      method: 'PUT',
      url: '/api/v1/gitops/helm-paths',
      headers: person.bearer,
      body: { cluster_id: clusterId, namespace: 'shop', kind: 'Deployment', name: 'api', container: 'app', ...body },
    })
  const filesOf = async (helm?: object) => {
    const response = await post({ recommendation_ids: [idOf('api')], format: 'helm', ...(helm ? { helm } : {}) })
    return response.json<ManifestResult>()
  }

  test('come with the request', async () => {
    const { files, verify } = await filesOf({ values_path: 'back.resources', chart: './my chart' })
    expect(files).toMatchObject([{ path_source: 'declared' }])
    expect(parse(files[0]?.content ?? '')).toEqual({
      back: { resources: { requests: { cpu: '500m', memory: '512Mi' } } },
    })
    expect(verify[0]?.command).toContain('helm template "$RELEASE" \'./my chart\' -n shop -f ')
  })

  test('are stored, proved and taken back', async () => {
    expect((await filesOf()).skipped).toMatchObject([{ code: 'not_helm', alternative_format: 'kustomize' }])

    expect((await put({ values_path: 'server.resources' })).json<HelmPath>()).toMatchObject({ path_source: 'declared' })
    expect((await filesOf()).files).toMatchObject([{ path_source: 'declared' }])

    const rendering = source('api').replace('cpu: "1"', 'cpu: 31337m')
    const proved = await put({ values_path: 'server.resources', rendered: `${source('web')}---\n${rendering}` })
    expect(proved.json<HelmPath>()).toMatchObject({ path_source: 'verified' })
    expect((await filesOf()).files).toMatchObject([{ path_source: 'verified' }])

    const list = await send(t, { url: `/api/v1/gitops/helm-paths?cluster_id=${clusterId}`, headers: viewer.bearer })
    expect(list.json()).toMatchObject({ helm_paths: [{ name: 'api', values_path: 'server.resources' }] })

    expect((await put({ values_path: null })).json<HelmPath>()).toMatchObject({
      values_path: null,
      path_source: 'none',
    })
    expect((await filesOf()).files).toEqual([])
  })

  test.each([
    ['that shows nothing', () => source('api')],
    ['that shows it elsewhere', () => source('web').replace('cpu: "1"', 'cpu: 31337m')],
    ['that is no YAML', () => '{'],
  ])('are not proved by a rendering %s', async (_what, rendering) => {
    expectProblem(await put({ values_path: 'a.resources', rendered: rendering() }), 'invalid_body')
  })

  test('are not for viewers to set, nor for other clusters and namespaces', async () => {
    expectProblem(await put({ values_path: 'a.resources' }, viewer), 'forbidden')
    expectProblem(await put({ values_path: 'a.resources', cluster_id: 'cls_other' }), 'invalid_body')
    const narrow = await aPerson(t, await aRole(t, ['recommendations:write'], { namespaces: ['hidden'] }))
    expectProblem(await put({ values_path: 'a.resources' }, narrow), 'role_narrowed')
  })
})
