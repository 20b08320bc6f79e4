import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { RenderedManifests, WantedChange } from '@plimsoll/engine/manifests'
import { MANIFEST_FORMATS, type ManifestFormat } from '@plimsoll/engine/vocabulary'
import { isBuiltIn } from '@plimsoll/engine/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeText } from '../../src/manifests/write-text.ts'
import { writeYaml } from '../../src/manifests/write-text.ts'
import { workload, type Case } from './corpus/case.ts'
import { corpus } from './corpus/corpus.ts'
import { firstObject, intended, normal, readObjects, wantedOf, type KubeObject } from './from-source.ts'
import { findTool, mapSome, runTool } from './kube-tools.ts'
import { rounds } from '../../../../test/rounds.ts'
import { put, render, unpack } from './render.ts'

const kubectl = findTool('kubectl') ?? ''
const kustomize = findTool('kustomize') ?? ''

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'plimsoll-manifests-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** The patch of the case, if the format supports it. */
function patchOf(format: ManifestFormat, each: Case): string | undefined {
  const [file] = render(format, wantedOf(each)).files
  return file && writeText(file)
}

const keyOf = ({ apiVersion, kind, metadata }: KubeObject) => `${apiVersion} ${kind} ${metadata.name}`

const changed = corpus.filter(({ set, fields }) => fields !== undefined || Object.keys(set ?? {}).length > 0)
const isCore = ({ source }: Case) => isBuiltIn(firstObject(source))

test('the corpus has at least sixty workloads, and each is rendered in every format that supports it', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(60)
  const skipped = (format: ManifestFormat) =>
    changed
      .map((each) => ({ trap: each.trap, codes: render(format, wantedOf(each)).skipped.map(({ code }) => code) }))
      .filter(({ codes }) => codes.length > 0)
  expect(skipped('json-patch')).toEqual([])
  expect(skipped('kustomize')).toEqual([{ trap: 'a bare pod', codes: ['pod_resize_refused'] }])
  expect([...new Set(skipped('strategic-merge').flatMap(({ codes }) => codes))]).toEqual(['custom_resource'])
  expect([...new Set(skipped('yaml').flatMap(({ codes }) => codes))].sort()).toEqual([
    'atomic_list',
    'format_cannot_remove',
    'pod_resize_refused',
  ])
})

describe.skipIf(kubectl === '')('kubectl patch --local', () => {
  const types = [
    ['json-patch', 'json', 'patch.json'],
    ['strategic-merge', 'strategic', 'patch.yaml'],
    ['yaml', 'strategic', 'partial.yaml'],
  ] as const

  test.each(types)('%s changes exactly the intended fields', async (format, type, ending) => {
    const directory = join(root, format)
    // A kustomization below applies both kinds of patches to every workload, so a short run starts fewer processes here.
    const every = rounds({ short: 6, full: format === 'yaml' ? 3 : 1 })
    const cases = changed.filter((each, index) => !each.hasSeveralDocuments && index % every === 0)
    const results = await mapSome([...cases.entries()], async ([index, each]) => {
      const text = patchOf(format, each)
      if (text === undefined) return []
      const source = put(join(directory, `${index}.yaml`), each.source)
      const patch = put(join(directory, `${index}.${ending}`), text)
      const args = ['patch', '--local', '-f', source, `--type=${type}`, '--patch-file', patch, '-o', 'yaml']
      const object = firstObject(await runTool(kubectl, args))
      // A server-side apply names the namespace, which Git may omit.
      if (format === 'yaml') delete object.metadata.namespace
      const wanted = intended(each)
      if (format === 'yaml') delete wanted.metadata.namespace
      return [{ trap: each.trap, object: normal(object), wanted: normal(wanted) }]
    })
    const all = results.flat()
    expect(all.length).toBeGreaterThan(Math.floor(50 / every))
    for (const { trap, object, wanted } of all) expect(object, trap).toEqual(wanted)
  })

  test('a JSON patch that does not match changes nothing and fails', async () => {
    const each = corpus.find(({ trap }) => trap === 'the second of three containers')
    if (!each) throw new Error('the case is there')
    const patch = put(join(root, 'misfit', 'patch.json'), patchOf('json-patch', each) ?? '')
    const source = put(join(root, 'misfit', 'source.yaml'), each.source.replace('name: second', 'name: renamed'))
    const args = ['patch', '--local', '-f', source, '--type=json', '--patch-file', patch, '-o', 'yaml']
    await expect(runTool(kubectl, args)).rejects.toThrow(/test/i)
  })
})

/** One directory with all sources, and the component on top; applying it twice shows that nothing else changes. */
function buildDirectory(
  name: string,
  cases: readonly Case[],
  wanted: readonly WantedChange[],
  format: 'strategic' | 'json',
) {
  const directory = join(root, name)
  const sources = cases.map((each, index) => {
    put(join(directory, 'base', `${index}.yaml`), each.source)
    return `${index}.yaml`
  })
  put(join(directory, 'base', 'kustomization.yaml'), writeYaml({ resources: sources }))
  const rendered = render(format === 'json' ? 'json-patch' : 'kustomize', wanted, { base: 'base' })
  const at = 'plimsoll/prod/shop/json'
  if (format === 'json') writeJsonComponent(join(directory, at), rendered)
  else unpack(directory, rendered)
  const component = `../${format === 'json' ? at : dirname(rendered.files[0]?.path ?? '')}`
  put(join(directory, 'once', 'kustomization.yaml'), writeYaml({ resources: ['../base'], components: [component] }))
  put(join(directory, 'twice', 'kustomization.yaml'), writeYaml({ resources: ['../once'], components: [component] }))
  return directory
}

/** The same patches as JSON 6902, which the format uses for custom resources only. */
function writeJsonComponent(at: string, { files }: RenderedManifests): void {
  const patches = files.map((file, index) => {
    put(join(at, `${index}.json`), writeText(file))
    const { apiVersion = '', kind = '', name = '' } = file.target ?? {}
    const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion]
    const target = { ...(group === '' ? {} : { group }), version, kind, name: name.replaceAll('.', '\\.') }
    return { path: `${index}.json`, target }
  })
  put(
    join(at, 'kustomization.yaml'),
    writeYaml({ apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', patches }),
  )
}

const unchangedToo = (cases: readonly Case[]) => {
  const objects = cases.flatMap((each) => [intended(each), ...readObjects(each.source).slice(1)])
  return Object.fromEntries(objects.map((object) => [keyOf(object), normal(object)]))
}

const byKey = (text: string) => Object.fromEntries(readObjects(text).map((object) => [keyOf(object), normal(object)]))

const builders = [
  ...(kubectl === '' ? [] : [['kubectl kustomize', kubectl, ['kustomize']] as const]),
  ...(kustomize === '' ? [] : [['kustomize build', kustomize, ['build']] as const]),
]

describe.skipIf(builders.length === 0)('a kustomization over the whole corpus', () => {
  // A name may occur once in a build.
  const cases = [...new Map(corpus.map((each) => [keyOf(firstObject(each.source)), each])).values()].filter(
    ({ trap }) => trap !== 'a bare pod',
  )
  const wanted = cases.flatMap(wantedOf)

  test.each(builders)(
    '%s: merges and JSON patches agree, change nothing else, and can be applied twice',
    async (_name, tool, args) => {
      for (const format of ['strategic', 'json'] as const) {
        const directory = buildDirectory(`${_name} ${format}`, cases, wanted, format)
        const once = await runTool(tool, [...args, join(directory, 'once')])
        expect(byKey(once)).toEqual(unchangedToo(cases))
        expect(await runTool(tool, [...args, join(directory, 'twice')])).toBe(once)
      }
    },
  )

  test.each(builders.slice(0, 1))('%s: the plain overlay builds the same', async (_name, tool, args) => {
    const directory = buildDirectory('overlay', cases, wanted, 'strategic')
    const overlay = await runTool(tool, [...args, join(directory, 'plimsoll/prod/overlay')])
    expect(byKey(overlay)).toEqual(unchangedToo(cases))
  })

  test.each(builders.slice(0, 1))('%s: the same holds for randomly generated workloads', async (_name, tool, args) => {
    const made = fc
      .sample(fc.uniqueArray(arbitraryCase, { minLength: 40, maxLength: 60, selector: nameOf }), {
        numRuns: 1,
        seed: 6,
      })
      .flat()
    const routes = await Promise.all(
      (['strategic', 'json'] as const).map((format) => {
        const directory = buildDirectory(`made ${format}`, made, made.flatMap(wantedOf), format)
        return runTool(tool, [...args, join(directory, 'twice')])
      }),
    )
    for (const text of routes) expect(byKey(text)).toEqual(unchangedToo(made))
  })
})

const nameOf = ({ source }: Case) => firstObject(source).metadata.name

const quantity = fc.integer({ min: 1, max: 64 })
const resources = fc.record(
  {
    cpu: quantity.map((n) => `${n * 50 + 1}m`),
    memory: quantity.map((n) => `${n * 64 + 1}Mi`),
    'ephemeral-storage': quantity.map((n) => `${n}Gi`),
    'example.com/card': quantity.map(String),
  },
  { requiredKeys: [] },
)

/** Workloads of random containers, some of which are changed. */
const arbitraryCase: fc.Arbitrary<Case> = fc
  .record({
    name: fc.stringMatching(/^[a-z][a-z0-9]{1,8}[.-]?[a-z0-9]{1,8}$/),
    kind: fc.constantFrom('Deployment', 'StatefulSet', 'DaemonSet'),
    containers: fc.uniqueArray(
      fc.record({
        name: fc.stringMatching(/^[a-z0-9]{1,10}$/),
        isInit: fc.boolean(),
        requests: resources,
        isChanged: fc.boolean(),
        to: fc.record({ cpu: quantity.map((n) => `${n * 50 + 1}m`), memory: quantity.map((n) => `${n * 64 + 1}Mi`) }),
      }),
      { minLength: 1, maxLength: 5, selector: (each) => each.name },
    ),
  })
  .map(({ name, kind, containers }) => {
    const list = (isInit: boolean) =>
      containers
        .filter((each, index) => (index === 0 ? false : each.isInit) === isInit)
        .map((each) => ({
          name: each.name,
          image: 'a',
          ...(Object.keys(each.requests).length > 0 ? { resources: { requests: each.requests } } : {}),
        }))
    const source = workload(kind, name, writeYaml({ initContainers: list(true), containers: list(false) }))
    const set = Object.fromEntries(
      containers.filter((each) => each.isChanged).map((each) => [each.name, { requests: each.to }]),
    )
    return { trap: 'made', source, set }
  })

test('the same request gives the same bytes', () => {
  const wanted = corpus.flatMap(wantedOf)
  const text = (from: readonly WantedChange[]) =>
    MANIFEST_FORMATS.map((format) => render(format, from).files.map((file) => [file.path, writeText(file)]))
  expect(text(wanted.toReversed())).toEqual(text(wanted))
})

test('every ID is in a file or skipped, never both', () => {
  const wanted = corpus.flatMap(wantedOf)
  for (const format of MANIFEST_FORMATS) {
    const { files, skipped } = render(format, wanted)
    const inFiles = new Set(files.flatMap(({ recommendationIds }) => recommendationIds))
    const left = skipped.map(({ recommendationId }) => recommendationId)
    expect(new Set([...inFiles, ...left])).toEqual(new Set(wanted.map(({ id }) => id)))
    expect(left.filter((id) => inFiles.has(id))).toEqual([])
    expect(new Set(files.map(({ path }) => path)).size).toBe(files.length)
  }
})

test('core kinds are merged and custom resources are patched', () => {
  const files = render('kustomize', corpus.filter((each) => !isCore(each)).flatMap(wantedOf)).files
  expect(files.filter(({ target }) => target).map(({ syntax }) => syntax)).toEqual(['json', 'json', 'json'])
})
