import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { RenderedManifests } from '@plimsoll/engine/manifests'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { writeYaml } from '../../src/manifests/write-text.ts'
import { half, workload, type Case } from './corpus/case.ts'
import { intended, normal, readObjects, wantedOf, type KubeObject } from './from-source.ts'
import { findTool, mapSome, runShell, startShell } from './kube-tools.ts'
import { put, render, unpack, type RenderOptions } from './render.ts'

const has = (...tools: string[]) => tools.every((tool) => findTool(tool) !== undefined)

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'plimsoll-transforms-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Transforms = { namePrefix?: string; nameSuffix?: string; namespace?: string }

const prefix: Transforms = { namePrefix: 'prod-' }
const suffix: Transforms = { nameSuffix: '-v2' }
const space: Transforms = { namespace: 'shop' }

const podSpec =
  '\ncontainers:\n- {name: app, image: a, resources: {requests: {cpu: 500m, memory: 512Mi}, limits: {nvidia.com/gpu: 1}}}\n- {name: other, image: b}\n'

/** A built-in kind, which gets a merge, and a custom resource, which gets a JSON patch. */
const sources = (name: string) => [
  workload('Deployment', name, podSpec),
  workload('Rollout', name, podSpec, 'argoproj.io/v1alpha1'),
]

const caseOf = (source: string): Case => ({ trap: 'transformed', source, set: { app: half } })

/** The manifests for the objects under the names that the cluster has. */
const manifestsFor = (name: string, options?: RenderOptions) =>
  render(
    'kustomize',
    sources(name).flatMap((source) => wantedOf(caseOf(source))),
    options,
  )

/** The directory `base` builds the objects under the name `web`. */
function layOut(directory: string, kustomizations: Record<string, object>): void {
  sources('web').forEach((source, index) => put(join(directory, `base/${index}.yaml`), source))
  put(join(directory, 'base/kustomization.yaml'), writeYaml({ resources: ['0.yaml', '1.yaml'] }))
  for (const [path, content] of Object.entries(kustomizations))
    put(join(directory, path, 'kustomization.yaml'), writeYaml(content))
}

const build = async (directory: string, path = '.') =>
  readObjects(await startShell(`kubectl kustomize ${path}`, directory, {}))

const commandsOf = ({ apply }: RenderedManifests, tool: string) =>
  apply.filter((step) => step.tool === tool).map(({ command }) => command)

type Answer = { said: string; complaint: string }

const ask = async (command: string, directory: string): Promise<Answer> =>
  startShell(command, directory, {}).then(
    (said) => ({ said: said.trim(), complaint: '' }),
    (error: unknown) => ({ said: '', complaint: (error as { stderr: string }).stderr }),
  )

const checkAll = (rendered: RenderedManifests, directory: string) =>
  mapSome(
    rendered.verify.filter(({ tool }) => tool === 'kustomize'),
    ({ command }) => ask(command, directory),
  )

const plain = (object: KubeObject) => normal(object)

/** The expected build, computed from the previous build. */
const intendedOf = (before: readonly KubeObject[]) =>
  before.map((object) => normal(intended(caseOf(JSON.stringify(object)))))

const nameIn = (...all: Transforms[]) =>
  all.reduce((name, { namePrefix = '', nameSuffix = '' }) => `${namePrefix}${name}${nameSuffix}`, 'web')

const layouts: [string, Record<string, object>, string][] = [
  ['no transform', { '.': { resources: ['base'] } }, nameIn()],
  ['namePrefix', { '.': { ...prefix, resources: ['base'] } }, nameIn(prefix)],
  ['nameSuffix', { '.': { ...suffix, resources: ['base'] } }, nameIn(suffix)],
  ['namespace', { '.': { ...space, resources: ['base'] } }, nameIn()],
  ['namePrefix and nameSuffix', { '.': { ...prefix, ...suffix, resources: ['base'] } }, nameIn(prefix, suffix)],
  ['all three', { '.': { ...prefix, ...suffix, ...space, resources: ['base'] } }, nameIn(prefix, suffix)],
  [
    'all three in a directory below',
    { middle: { ...prefix, ...suffix, ...space, resources: ['../base'] }, '.': { resources: ['middle'] } },
    nameIn(prefix, suffix),
  ],
  [
    'each in its own directory',
    {
      inner: { ...prefix, resources: ['../base'] },
      middle: { ...space, resources: ['../inner'] },
      '.': { ...suffix, resources: ['middle'] },
    },
    nameIn(prefix, suffix),
  ],
  [
    'two prefixes and a component of the user',
    {
      own: { apiVersion: 'kustomize.config.k8s.io/v1alpha1', kind: 'Component', namePrefix: 'eu-' },
      '.': { ...prefix, resources: ['base'], components: ['own'] },
    },
    nameIn({ namePrefix: 'eu-' }, prefix),
  ],
]

describe.skipIf(!has('kubectl', 'kustomize'))('a kustomization with name and namespace transforms', () => {
  test.each(layouts)(
    'the printed steps change the build exactly as intended: %s',
    async (what, kustomizations, name) => {
      const directory = join(root, `in place ${what}`)
      layOut(directory, kustomizations)
      const rendered = manifestsFor(name)
      unpack(directory, rendered)
      const before = await build(directory)
      for (const command of commandsOf(rendered, 'kustomize')) runShell(command, directory)
      expect((await build(directory)).map(plain)).toEqual(intendedOf(before))
      expect(await checkAll(rendered, directory)).toEqual(rendered.files.filter(({ target }) => target).map(() => yes))
    },
  )

  test.each(layouts.slice(6, 8))(
    'an overlay with the component changes the build as intended: %s',
    async (what, kustomizations, name) => {
      const directory = join(root, `overlay ${what}`)
      const rendered = manifestsFor(name, { base: 'deploy' })
      layOut(join(directory, 'deploy'), kustomizations)
      unpack(directory, rendered)
      const before = await build(directory, 'deploy')
      const overlay = await build(directory, 'plimsoll/prod/overlay')
      expect(overlay.map(plain)).toEqual(intendedOf(before))
      expect(await checkAll(rendered, directory)).toEqual([yes, yes])
    },
  )

  test('a missing entry is named by the check', async () => {
    const directory = join(root, 'missing entry')
    const rendered = manifestsFor('web')
    layOut(directory, { '.': { resources: ['base'] } })
    unpack(directory, rendered)
    const [answer] = await checkAll(rendered, directory)
    expect(answer?.complaint).toContain(`kustomization.yaml lists ${rendered.files[1]?.path} under transformers`)
  })

  test('a component finds names that a lower directory has set', async () => {
    const directory = join(root, 'component above')
    const rendered = manifestsFor(nameIn(prefix, suffix))
    const component = dirname(rendered.files[0]?.path ?? '')
    layOut(directory, {
      middle: { ...prefix, ...suffix, resources: ['../base'] },
      '.': { ...space, resources: ['middle'], components: [component] },
    })
    unpack(directory, rendered)
    expect(await checkAll(rendered, directory)).toEqual([yes, yes])
  })

  test('a component next to namePrefix changes nothing, and the check gives the reason', async () => {
    const directory = join(root, 'component beside')
    const rendered = manifestsFor(nameIn(prefix))
    const component = dirname(rendered.files[0]?.path ?? '')
    layOut(directory, { '.': { ...prefix, resources: ['base'], components: [component] } })
    unpack(directory, rendered)
    const [answer] = await checkAll(rendered, directory)
    expect(answer?.complaint).toContain(
      'Found: /Deployment prod-web; app requests.cpu=500m; app requests.memory=512Mi; namespace=',
    )
    expect(answer?.complaint).toContain('Expected: /Deployment prod-web; app requests.cpu=250m;')
    expect(answer?.complaint).toContain('runs before namePrefix and nameSuffix')
  })

  test('a directory below the one that sets namePrefix lacks the name, and the check lists its names', async () => {
    const directory = join(root, 'too deep')
    const rendered = manifestsFor(nameIn(prefix))
    layOut(directory, { '.': { resources: ['base'] } })
    unpack(directory, rendered)
    for (const command of commandsOf(rendered, 'kustomize')) runShell(command, directory)
    const [answer] = await checkAll(rendered, directory)
    expect(answer?.complaint).toContain('No: the build of the current directory has no Deployment prod-web.')
    expect(answer?.complaint).toContain('Objects of that kind: Deployment web')
    expect(answer?.complaint).toContain('adds namePrefix or nameSuffix to this directory')
  })

  test('an object with the same base is never changed, and the remedy of the check works', async () => {
    const directory = join(root, 'one base')
    const canary = { nameSuffix: '-canary', resources: ['../base'] }
    layOut(directory, { canary, '.': { resources: ['base', 'canary'] } })
    const rendered = manifestsFor('web')
    unpack(directory, rendered)
    const before = await build(directory)
    for (const command of commandsOf(rendered, 'kustomize')) runShell(command, directory)
    const [answer] = await checkAll(rendered, directory)
    expect(answer?.said).toBe('')
    expect(answer?.complaint).toContain(
      'Request an overlay (kustomize.base) over the directory that builds only Deployment web',
    )

    unpack(directory, manifestsFor('web', { base: 'base' }))
    layOut(directory, { '.': { resources: ['plimsoll/prod/overlay', 'canary'] } })
    const isCanary = ({ metadata: { name } }: KubeObject) => name === 'web-canary'
    const after = await build(directory)
    const wanted = [...intendedOf(before.filter((each) => !isCanary(each))), ...before.filter(isCanary).map(plain)]
    expect(wanted).toHaveLength(after.length)
    expect(after.map(plain)).toEqual(expect.arrayContaining(wanted))
  })

  describe('with the same name in two namespaces', () => {
    const inSpace = (namespace: string) =>
      sources('web').map((text) => text.replace('metadata:', `metadata:\n  namespace: ${namespace}\n `))
    const namesakes = ['Deployment', 'Rollout'].map((kind) => ({
      clusterId: 'cls_1',
      kind,
      namespace: 'blog',
      name: 'web',
    }))

    function layOutSpaces(directory: string, texts: readonly string[], kustomization: object = {}) {
      texts.forEach((text, index) => put(join(directory, `base/${index}.yaml`), text))
      const resources = texts.map((_, index) => `${index}.yaml`)
      put(join(directory, 'base/kustomization.yaml'), writeYaml({ resources }))
      put(join(directory, 'kustomization.yaml'), writeYaml({ resources: ['base'], ...kustomization }))
    }

    async function applied(
      directory: string,
    ): Promise<{ before: KubeObject[]; after: KubeObject[]; answers: Answer[] }> {
      const rendered = manifestsFor('web', { namesakes })
      unpack(directory, rendered)
      const before = await build(directory)
      for (const command of commandsOf(rendered, 'kustomize')) runShell(command, directory)
      return { before, after: await build(directory), answers: await checkAll(rendered, directory) }
    }

    test('only the object of the intended namespace changes', async () => {
      const directory = join(root, 'two namespaces')
      layOutSpaces(directory, [...inSpace('shop'), ...inSpace('blog')])
      const { before, after, answers } = await applied(directory)
      const isShop = ({ metadata }: KubeObject) => metadata.namespace === 'shop'
      expect(before.filter(isShop)).toHaveLength(2)
      const wanted = before.map((object) =>
        isShop(object) ? normal(intended(caseOf(JSON.stringify(object)))) : plain(object),
      )
      expect(after.map(plain)).toEqual(wanted)
      expect(answers).toEqual([yes, yes])
    })

    test.each([
      ['the deployer sets the namespace', sources('web'), {}],
      ['the same kustomization sets the namespace', sources('web'), space],
      ['the objects have it', inSpace('shop'), {}],
    ])('a build of one namespace changes where %s', async (what, texts, kustomization) => {
      const directory = join(root, `one namespace ${what}`)
      layOutSpaces(directory, texts, kustomization)
      const { before, after, answers } = await applied(directory)
      expect(after.map(plain)).toEqual(intendedOf(before))
      expect(answers).toEqual([yes, yes])
    })

    test('the check says No if one of two objects has no namespace', async () => {
      const directory = join(root, 'one without a namespace')
      layOutSpaces(directory, [...inSpace('shop'), ...sources('web')])
      const { answers } = await applied(directory)
      for (const { complaint } of answers) expect(complaint).toContain('more than once')
    })
  })

  test('a failed build is distinguished from a missing change', async () => {
    const directory = join(root, 'broken')
    const rendered = manifestsFor('web')
    layOut(directory, { '.': { resources: ['nowhere'] } })
    unpack(directory, rendered)
    const [answer] = await checkAll(rendered, directory)
    expect(answer?.complaint).toContain('nowhere')
    expect(answer?.complaint).toContain('No: kubectl kustomize failed; its message is above.')
  })
})

const yes: Answer = { said: 'yes', complaint: '' }
