import { gunzipSync } from 'node:zlib'
import type { ManifestResult } from '@plimsoll/contract'
import { MANIFEST_FORMATS } from '@plimsoll/engine/vocabulary'
import { beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { aFinding, analysed, idsOf } from '../../../test/findings.ts'
import { showWorkloads } from '../../../test/manifests/shown-workloads.ts'
import { aCluster, aPerson, aRole, type Person } from '../../../test/people.ts'
import { expectProblem } from '../../../test/promises.ts'
import { noteContainersSeen } from '../../ingest/queries/workload-containers.ts'
import { send, useTestApp } from '../../../test/test-app.ts'

const t = useTestApp()

let viewer: Person
let editor: Person
let clusterId: string
let clusterName: string
let ids: Record<string, string>

beforeAll(async () => {
  viewer = await aPerson(t, 'viewer')
  editor = await aPerson(t, 'editor')
  const cluster = await aCluster(t)
  clusterId = cluster.clusterId
  clusterName = cluster.name
  const names = ['web', 'api', 'db', 'no', 'left']
  const namespaceOf = (name: string) => (name === 'db' ? 'hidden' : 'shop')
  await showWorkloads(
    t,
    clusterId,
    names.map((name) => aFinding({ name, namespace: namespaceOf(name) })),
    { gone: ['left'] },
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

test('a viewer gets files with the change, apply and verify steps, and a pull request', async () => {
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
    pull_request: { title: expect.stringContaining('Right-size db, web (estimated $') as string },
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
  expect(result.pull_request?.body).toMatch(/\| Lower requests of web \|.*\| \$4\.00 \| \$10\.00 \| low \| high \|/)
})

test.each(MANIFEST_FORMATS)('%s: the same request gives the same bytes, in any order', async (format) => {
  const body = async (names: string[]) => (await post({ recommendation_ids: names.map(idOf), format })).body
  expect(await body(['db', 'web', 'api', 'web'])).toBe(await body(['web', 'api', 'db']))
})

test('one file is the manifest itself', async () => {
  const { manifest, files } = await rendered(['web'], 'json-patch')
  expect(manifest).toBe(files[0]?.content)
  expect(JSON.parse(manifest)).toContainEqual({ op: 'test', path: '/metadata/name', value: 'web' })
})

test('each id is in a file or among the skipped, with a code and the next step', async () => {
  const unknown = `rec_${clusterId.slice(4)}${'0'.repeat(26)}`
  const wanted = [...['web', 'no', 'left'].map(idOf), unknown, 'nonsense', "'; drop table recommendation --"]
  const response = await post({ recommendation_ids: wanted, format: 'json-patch' })
  const { files, skipped, pull_request: review } = response.json<ManifestResult>()
  expect(review?.body).toContain(
    `Lower requests of left (${clusterName} / shop / Deployment left): The workload no longer exists.`,
  )
  expect(review?.body).toContain(
    `Lower requests of no (${clusterName} / shop / Deployment no): The recommendation is rejected.`,
  )
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

test('a role sees its own clusters and namespaces only; other ids are not found and no name is revealed', async () => {
  const narrow = await aPerson(t, await aRole(t, ['recommendations:read'], { namespaces: ['shop'] }))
  const elsewhere = await aPerson(t, await aRole(t, ['recommendations:read'], { clusters: ['cls_other'] }))
  const one = await rendered(['web', 'db'], 'kustomize', narrow)
  expect(one.skipped).toMatchObject([{ recommendation_id: idOf('db'), code: 'not_found' }])
  expect(JSON.stringify(one)).not.toContain('hidden')
  const none = await rendered(['web', 'db'], 'kustomize', elsewhere)
  expect(none.files).toEqual([])
  expect(JSON.stringify(none)).not.toMatch(new RegExp(`${clusterName}|web|shop`))
})

test('a component warns about a workload of the same name in another namespace, if the caller may see it', async () => {
  const seen = { hour: new Date('2026-01-01T00:00:00Z') }
  await noteContainersSeen(t.db, clusterId, [
    { ...seen, key: ['hidden', 'Deployment', 'web', 'app'] },
    { ...seen, key: ['shop', 'Deployment', 'web', 'app'] },
    { ...seen, key: ['hidden', 'StatefulSet', 'api', 'app'] },
  ])
  const codesFor = async (name: string, person = viewer) =>
    (await rendered([name], 'kustomize', person)).warnings.map(({ code }) => code)
  expect(await codesFor('web')).toEqual(['same_name_in_namespaces'])
  expect(await codesFor('api')).toEqual([])
  const narrow = await aPerson(t, await aRole(t, ['recommendations:read'], { namespaces: ['shop'] }))
  expect(await codesFor('web', narrow)).toEqual([])
})

test('a change that no manifest expresses has commands instead of a file', async () => {
  const alone = (await aCluster(t)).clusterId
  const target = { kind: 'Service', namespace: 'shop', name: 'front', container: '' }
  await analysed(t, alone, {
    findings: [
      {
        ...aFinding({ ruleId: 'loadbalancer_orphaned', action: { kind: 'delete_service' } }),
        target,
        workload: null,
        currentSpec: null,
        recommendedSpec: null,
        change: { action: 'delete', object: target, summary: 'Delete the Service.', fields: [] },
      },
    ],
  })
  const [id = ''] = Object.values(await idsOf(t, alone))
  const response = await post({ recommendation_ids: [id], format: 'yaml' })
  const { files, skipped, commands } = response.json<ManifestResult>()
  expect([response.statusCode, files, skipped.length]).toEqual([200, [], 1])
  expect(commands).toMatchObject([{ recommendation_id: id, cluster_id: alone }])
  const [first, last] = commands[0]?.steps ?? []
  expect(first).toMatchObject({ title: 'Remove the load balancer, keep the Service' })
  expect(first?.commands[0]).toContain('kubectl --context="${CONTEXT:?is not set}" patch service front -n shop')
  expect(last?.commands[0]).toMatch(
    /^test -s service-shop-front-[0-9a-f]{8}\.yaml && kubectl .* delete service front -n shop$/,
  )
})

test('recommendations of several clusters are in one directory each', async () => {
  const other = await aCluster(t, 'Zweiter Cluster/../..')
  await showWorkloads(t, other.clusterId, [aFinding({ name: 'web' })])
  const id = (await idsOf(t, other.clusterId)).web
  const response = await post({ recommendation_ids: [idOf('web'), id], format: 'yaml' })
  const { files, apply } = response.json<ManifestResult>()
  expect(files.map(({ path }) => path).toSorted()).toEqual([
    `plimsoll/${clusterName}/shop/deployment-web.yaml`,
    expect.stringMatching(/^plimsoll\/zweiter-cluster-[0-9a-f]{8}\/shop\/deployment-web\.yaml$/),
  ])
  expect(apply.map(({ command }) => command).join('\n')).toContain(
    '--context="${CONTEXT_FOR_ZWEITER_CLUSTER:?is not set}"',
  )
})

test('commands are those of the provider, for any spelling of its name', async () => {
  const cluster = await aCluster(t)
  await t.db
    .updateTable('cluster')
    .set({ provider: 'Amazon Web Services' })
    .where('cluster_id', '=', cluster.clusterId)
    .execute()
  const action = { kind: 'remove_nodes' as const, nodes: ['node-1'], pool: 'general', scaler: 'none' as const }
  await analysed(t, cluster.clusterId, { findings: [{ ...aFinding({ name: 'node-1' }), action }] })
  const [id = ''] = Object.values(await idsOf(t, cluster.clusterId))
  const response = await post({ recommendation_ids: [id], format: 'yaml' })
  const { commands } = response.json<ManifestResult>()
  expect(commands.flatMap(({ steps }) => steps.flatMap((step) => step.commands)).join('\n')).toContain(
    'aws autoscaling terminate-instance',
  )
})

test('an overlay is written over the named directory', async () => {
  const body = { recommendation_ids: [idOf('web')], format: 'kustomize', kustomize: { base: 'deploy/production' } }
  const { files, apply } = (await post(body)).json<ManifestResult>()
  expect(files.map(({ path }) => path)).toContain(`plimsoll/${clusterName}/overlay/kustomization.yaml`)
  expect(apply[0]?.command).toBe(`kubectl apply -k plimsoll/${clusterName}/overlay`)
  const slashed = { ...body, kustomize: { base: 'deploy/production/' } }
  expect((await post(slashed)).json<ManifestResult>().files).toEqual(files)
})

describe('the archive', () => {
  test.each([
    ['requested in the URL', { query: '?archive=tar' }],
    ['accepted', { headers: { accept: 'application/x-tar+gzip' } }],
  ])('is the directory to commit, when %s', async (_how, more) => {
    const body = { recommendation_ids: ['web', 'db'].map(idOf), format: 'kustomize' }
    const response = await post(body, viewer, more)
    expect(response.headers['content-type']).toBe('application/x-tar+gzip')
    expect(response.headers['content-disposition']).toBe('attachment; filename="plimsoll-kustomize.tar.gz"')
    const { files } = (await post(body)).json<ManifestResult>()
    const unpacked = untar(gunzipSync(response.rawPayload))
    expect(unpacked.slice(0, -1)).toEqual(files.map(({ path, content }) => ({ path, content })))
    expect(unpacked.at(-1)?.path).toBe('plimsoll.md')
    expect((await post(body, viewer, more)).rawPayload.equals(response.rawPayload)).toBe(true)
  })

  test('contains the apply and verify steps, and the skipped recommendations', async () => {
    const body = { recommendation_ids: [idOf('web'), 'rec_unknown'], format: 'yaml' }
    const { apply, verify, skipped } = (await post(body)).json<ManifestResult>()
    const response = await post(body, viewer, { query: '?archive=tar' })
    const notes = untar(gunzipSync(response.rawPayload)).at(-1)?.content ?? ''
    expect([apply, verify, skipped].map((list) => list.length > 0)).toEqual([true, true, true])
    for (const { command } of [...apply, ...verify]) expect(notes).toContain(`\`\`\`sh\n${command}\n\`\`\``)
    expect(notes).toContain('- rec\\_unknown: ')
  })

  test('is rejected if it would be empty, with the reason of each', async () => {
    const body = { recommendation_ids: ['rec_unknown'], format: 'yaml' }
    const response = await post(body, viewer, { query: '?archive=tar' })
    expectProblem(response, 'nothing_rendered')
    expect(response.json()).toMatchObject({ errors: [{ code: 'not_found', pointer: '/recommendation_ids' }] })
  })

  test('is not sent for another value', async () => {
    expectProblem(
      await post({ recommendation_ids: ['x'], format: 'yaml' }, viewer, { query: '?archive=zip' }),
      'invalid_parameter',
    )
  })
})

function untar(bytes: Buffer): { path: string; content: string }[] {
  const files: { path: string; content: string }[] = []
  const text = (from: number, to: number) => bytes.toString('utf8', from, to).split('\0', 1).join()
  for (let at = 0; bytes[at] !== 0;) {
    const size = parseInt(text(at + 124, at + 136), 8)
    const path = [text(at + 345, at + 500), text(at, at + 100)].filter((part) => part !== '').join('/')
    files.push({ path, content: bytes.toString('utf8', at + 512, at + 512 + size) })
    at += 512 * (1 + Math.ceil(size / 512))
  }
  return files
}

describe('bad input', () => {
  const skippedOf = async (wanted: string[], person = viewer) => {
    const response = await post({ recommendation_ids: wanted, format: 'yaml' }, person)
    return response.json<ManifestResult>().skipped.map(({ recommendation_id: id, code }) => [id, code])
  }

  test('unknown ids are not found', async () => {
    const unknown = `rec_${clusterId.slice(4)}${'0'.repeat(26)}`
    expect(await skippedOf([unknown])).toEqual([[unknown, 'not_found']])
  })

  test('inaccessible ids are not found, as if they were unknown', async () => {
    const elsewhere = await aPerson(t, await aRole(t, ['recommendations:read'], { clusters: ['cls_other'] }))
    expect(await skippedOf([idOf('web')], elsewhere)).toEqual([[idOf('web'), 'not_found']])
  })

  test('a repeated id is rendered once', async () => {
    const response = await post({ recommendation_ids: [idOf('web'), idOf('web')], format: 'yaml' })
    expect(response.json<ManifestResult>().files).toMatchObject([{ recommendation_ids: [idOf('web')] }])
  })

  test('a deleted workload is reported as gone', async () => {
    expect(await skippedOf([idOf('left')])).toEqual([[idOf('left'), 'workload_gone']])
  })

  test('ids under the field name of other routes are rejected with the right name, and vice versa', async () => {
    const here = await post({ ids: [idOf('web')], format: 'yaml' })
    expectProblem(here, 'invalid_body')
    expect(here.json()).toMatchObject({
      errors: expect.arrayContaining([
        {
          pointer: '/ids',
          code: 'additionalProperties',
          detail: 'is unknown; did you mean recommendation_ids?',
        },
      ]) as unknown,
    })
    const url = '/api/v1/recommendations/batch'
    const body = { recommendation_ids: [idOf('web')], action: 'approve' }
    const there = await send(t, { method: 'POST', url, headers: editor.bearer, body })
    expectProblem(there, 'invalid_body')
    expect(there.body).toContain('is unknown; did you mean ids?')
  })

  test('an unknown format is rejected with the list of the five formats', async () => {
    const response = await post({ recommendation_ids: ['x'], format: 'toml' })
    expectProblem(response, 'invalid_body')
    expect(response.json()).toMatchObject({
      detail: '/format: must be one of kustomize, helm, json-patch, strategic-merge, yaml, got "toml".',
    })
  })

  test.each([
    ['no ids', { recommendation_ids: [], format: 'yaml' }],
    ['501 ids', { recommendation_ids: Array.from({ length: 501 }, (_, n) => `rec_${n}`), format: 'yaml' }],
    ['IDs that are not text', { recommendation_ids: [7], format: 'yaml' }],
    ['an unknown field', { recommendation_ids: ['x'], format: 'yaml', fromat: 'helm' }],
    ['an invalid path', { recommendation_ids: ['x'], format: 'helm', helm: { values_path: 'a..b' } }],
    ['a path with a command', { recommendation_ids: ['x'], format: 'helm', helm: { values_path: '$(id)' } }],
    ['a base outside the checkout', { recommendation_ids: ['x'], format: 'kustomize', kustomize: { base: '../x' } }],
    ['the root directory as base', { recommendation_ids: ['x'], format: 'kustomize', kustomize: { base: '.' } }],
    ['a base outside with a slash', { recommendation_ids: ['x'], format: 'kustomize', kustomize: { base: 'x/../' } }],
    ['a base that is a path', { recommendation_ids: ['x'], format: 'kustomize', kustomize: { base: '/etc' } }],
    ['a base with a command', { recommendation_ids: ['x'], format: 'kustomize', kustomize: { base: '$(id)' } }],
    ['a chart that is an option', { recommendation_ids: ['x'], format: 'helm', helm: { chart: '--post-renderer=x' } }],
  ])('%s is rejected', async (_what, body) => {
    expectProblem(await post(body), 'invalid_body')
  })

  test('500 ids are accepted, whatever they are', async () => {
    const response = await post({
      recommendation_ids: Array.from({ length: 500 }, (_, n) => `rec_${n}`),
      format: 'yaml',
    })
    expect(response.json<ManifestResult>()).toMatchObject({ files: [], pull_request: null })
    expect(response.json<ManifestResult>().skipped).toHaveLength(500)
  })

  test('one path for several containers is rejected', async () => {
    const response = await post({
      recommendation_ids: ['web', 'db'].map(idOf),
      format: 'helm',
      helm: { values_path: 'a.resources' },
    })
    expectProblem(response, 'invalid_body')
  })
})
