import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ManifestFormat } from '@plimsoll/engine/vocabulary'
import { isBuiltIn } from '@plimsoll/engine/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAssets, startControlPlane, type ControlPlane } from '../../../../test/control-plane.ts'
import { writeYaml } from '../../src/manifests/write-text.ts'
import type { Case } from './corpus/case.ts'
import { corpus } from './corpus/corpus.ts'
import { firstObject, intended, liveOf, readObjects, wantedOf, type KubeObject } from './from-source.ts'
import { mapSome, runShell, runTool, startShell } from './kube-tools.ts'
import { inNamespace, put, render, unpack } from './render.ts'

const assets = findAssets()

/** Needs feature gates that are off by default, or a bound claim, or is invalid for every API server. */
const unfit = /dynamic resource claims|pod-level|one name for an init|tildes and braces|a claim that grows/

const cases = corpus.filter(({ source, trap }) => isBuiltIn(firstObject(source)) && !unfit.test(trap))

let plane: ControlPlane

const kubectl = (...args: string[]) => runTool(join(assets ?? '', 'kubectl'), ['--kubeconfig', plane.config, ...args])
let root: string

/** The object as the API server stores it: defaults, canonical quantities. */
const resourcesOf = (object: KubeObject) =>
  liveOf(object)?.containers.map(({ name, requestKeys, limitKeys, requests, limits }) => ({
    name,
    requestKeys: [...requestKeys].sort(),
    limitKeys: [...limitKeys].sort(),
    requests,
    limits,
  }))

const kindOf = ({ source }: Case) => firstObject(source).kind

async function create(namespace: string, some: readonly Case[]): Promise<void> {
  await kubectl('create', 'namespace', namespace)
  const items = some
    .flatMap(({ source }) => readObjects(source))
    .map(({ metadata, ...rest }) => ({
      ...rest,
      metadata: { ...metadata, namespace },
    }))
  const path = join(root, `${namespace}.yaml`)
  put(path, writeYaml({ apiVersion: 'v1', kind: 'List', items }))
  await kubectl('apply', '--server-side', '--field-manager=people', '-f', path)
}

async function read(namespace: string): Promise<Map<string, KubeObject>> {
  const kinds =
    'deployments,statefulsets,daemonsets,replicasets,cronjobs,pods,services,persistentvolumeclaims,horizontalpodautoscalers.v2.autoscaling'
  const text = await kubectl('get', kinds, '-n', namespace, '-o', 'json')
  const { items } = JSON.parse(text) as { items: KubeObject[] }
  return new Map(items.map((item) => [`${item.kind} ${item.metadata.name}`, item]))
}

describe.skipIf(assets === undefined)('a real API server', () => {
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'plimsoll-real-'))
    plane = await startControlPlane(assets ?? '')
  }, 180_000)
  afterAll(async () => {
    await plane.stop()
    rmSync(root, { recursive: true, force: true })
  })

  test.each(['json-patch', 'strategic-merge', 'yaml'] satisfies ManifestFormat[])(
    '%s: the printed commands are accepted and change exactly the intended fields',
    async (format) => {
      const namespace = `test-${format}`
      await create(namespace, cases)
      const rendered = render(format, inNamespace(namespace, cases.flatMap(wantedOf)))
      unpack(join(root, format), rendered)
      const commands = rendered.apply.filter((step) => step.tool === 'kubectl').map(({ command }) => command)
      await mapSome(commands, (command) => startShell(command, join(root, format), { KUBECONFIG: plane.config }))
      const objects = await read(namespace)
      const done = new Set(rendered.files.map(({ target }) => `${target?.kind} ${target?.name}`))
      for (const each of cases) {
        const { metadata } = firstObject(each.source)
        const key = `${kindOf(each)} ${metadata.name}`
        const object = objects.get(key)
        if (!object) throw new Error(`${key} is there`)
        const wanted = done.has(key) ? intended(each) : firstObject(each.source)
        expect(resourcesOf(object), each.trap).toEqual(resourcesOf(wanted))
      }
      const checks = rendered.verify.filter((step) => step.tool === 'kubectl').slice(0, 5)
      const answers = checks.map(({ command }) => runShell(command, root, { KUBECONFIG: plane.config }).trim())
      expect(answers).toEqual(checks.map((step) => step.expect))
    },
    300_000,
  )

  test('a second manifest for other fields removes nothing of the first', async () => {
    const namespace = 'test-managers'
    const [each] = cases
    if (!each) throw new Error('there are cases')
    await create(namespace, [each])
    for (const requests of [{ cpu: '200m' }, { memory: '200Mi' }]) {
      await applyYaml(namespace, { ...each, set: { app: { requests } } })
    }
    const object = (await read(namespace)).get('Deployment plain')
    expect(object && liveOf(object)?.containers).toMatchObject([
      { requests: { cpuMillicores: 200, memoryKib: 200 * 1024 } },
    ])
  })

  test('an object created by client-side kubectl apply keeps all other fields, however often the manifest is applied', async () => {
    const namespace = 'test-client-side'
    const each = cases.find(({ trap }) => trap === 'environment with names that look like ours')
    if (!each) throw new Error('the case is there')
    await kubectl('create', 'namespace', namespace)
    const path = put(join(root, 'client-side.yaml'), each.source)
    await kubectl('apply', '-n', namespace, '-f', path)
    const specOf = async () => (await read(namespace)).get('Deployment lookalikes')?.spec
    await applyYaml(namespace, each)
    const once = await specOf()
    await applyYaml(namespace, each)
    expect(await specOf()).toEqual(once)
    expect(JSON.stringify(once)).toContain('"--resources"')
    expect(JSON.stringify(once)).toContain('"cpu":"250m"')
    await kubectl('apply', '-n', namespace, '-f', path)
    expect(JSON.stringify(await specOf())).toContain('"cpu":"500m"')
  })

  test('kustomize: the printed steps reach a workload whose name has a prefix, and the check finds the change', async () => {
    const namespace = 'test-kustomize'
    const each = cases.find(({ trap }) => trap === 'environment with names that look like ours')
    if (!each) throw new Error('the case is there')
    await kubectl('create', 'namespace', namespace)
    const directory = join(root, namespace)
    put(join(directory, 'base/source.yaml'), each.source)
    put(join(directory, 'base/kustomization.yaml'), writeYaml({ resources: ['source.yaml'] }))
    put(
      join(directory, 'kustomization.yaml'),
      writeYaml({ namePrefix: 'eu-', nameSuffix: '-v2', namespace, resources: ['base'] }),
    )
    const renamed = { ...each, source: each.source.replace('name: lookalikes', 'name: eu-lookalikes-v2') }
    const rendered = render('kustomize', inNamespace(namespace, wantedOf(renamed)))
    unpack(directory, rendered)
    await kubectl('apply', '-k', directory)
    const check = rendered.verify.find(({ tool }) => tool === 'kubectl')?.command ?? ''
    const environment = { KUBECONFIG: plane.config }
    await expect(startShell(check, directory, environment)).rejects.toThrow(/is not applied yet/)
    for (const { command } of rendered.apply.filter(({ lines }) => lines === null))
      await startShell(command, directory, environment)
    expect(await startShell(check, directory, environment)).toBe('yes\n')
  })

  test('kubectl apply -k cannot change a running pod, so no component is written for a pod', async () => {
    const namespace = 'test-bare-pod'
    const each = cases.find(({ trap }) => trap === 'a bare pod')
    if (!each) throw new Error('the case is there')
    await kubectl('create', 'namespace', namespace)
    const directory = join(root, namespace)
    put(join(directory, 'pod.yaml'), each.source)
    put(join(directory, 'kustomization.yaml'), writeYaml({ namespace, resources: ['pod.yaml'] }))
    await kubectl('apply', '-k', directory)
    put(join(directory, 'pod.yaml'), writeYaml(intended(each)))
    await expect(kubectl('apply', '-k', directory)).rejects.toThrow(/pod updates may not change fields|Forbidden/i)
    expect(render('kustomize', wantedOf(each)).skipped).toMatchObject([{ code: 'pod_resize_refused' }])
  })

  test('no object is created for a missing one', async () => {
    await kubectl('create', 'namespace', 'test-absent')
    const [each] = cases
    if (!each) throw new Error('there are cases')
    await expect(applyYaml('test-absent', each)).rejects.toThrow(/not found/)
  })
})

/** As the printed command does it. */
async function applyYaml(namespace: string, each: Case): Promise<void> {
  const rendered = render('yaml', inNamespace(namespace, wantedOf(each)))
  const directory = join(root, namespace)
  unpack(directory, rendered)
  const command = rendered.apply.find((step) => step.tool === 'kubectl')?.command ?? ''
  await startShell(command, directory, { KUBECONFIG: plane.config })
}
