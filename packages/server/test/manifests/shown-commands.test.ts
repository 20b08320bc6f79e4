import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { RenderedManifests, WantedChange } from '@plimsoll/engine/manifests'
import { MANIFEST_FORMATS, type ManifestFormat } from '@plimsoll/engine/vocabulary'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proofCommand } from '../../src/manifests/proof-command.ts'
import { provePath, sentinelOf } from '../../src/manifests/prove-path.ts'
import { writeYaml } from '../../src/manifests/write-text.ts'
import type { Case } from './corpus/case.ts'
import { corpus } from './corpus/corpus.ts'
import { firstObject, intended, liveOf, normal, wantedOf } from './from-source.ts'
import { findTool, runShell } from './kube-tools.ts'
import { inNamespace, put, render, unpack, type RenderOptions } from './render.ts'

const has = (...tools: string[]) => tools.every((tool) => findTool(tool) !== undefined)

let root: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'plimsoll-commands-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const caseOf = (trap: string) => {
  const found = corpus.find((each) => each.trap.startsWith(trap))
  if (!found) throw new Error(`${trap} is in the corpus`)
  return found
}

const commandOf = (steps: readonly { tool: string; command: string }[], tool: string) =>
  steps.find((step) => step.tool === tool)?.command ?? ''

/** Output of a command; empty if it prints No. */
function say(command: string, directory: string, variables: Record<string, string> = {}): string {
  try {
    return runShell(command, directory, variables).trim()
  } catch {
    return ''
  }
}

/** Error output of a failing command. */
function complaintOf(command: string, directory: string, variables: Record<string, string> = {}): string {
  try {
    runShell(command, directory, variables)
  } catch (error) {
    return (error as { stderr: string }).stderr.trim()
  }
  throw new Error(`this should fail: ${command}`)
}

describe.skipIf(!has('kubectl'))('a manifest in a checkout', () => {
  test.each([
    ['json-patch', 'a GPU among the limits'],
    ['json-patch', 'a CronJob, whose'],
    ['json-patch', 'a limit that is taken away'],
    ['strategic-merge', 'init containers whose order'],
    ['strategic-merge', 'a limit that is taken away'],
    ['yaml', 'a MIG slice'],
  ] as const)('%s: the printed command changes it and the printed check prints yes only then (%s)', (format, trap) => {
    const each = caseOf(trap)
    const rendered = render(format, wantedOf(each))
    const directory = join(root, `${format} ${trap}`)
    const file = put(join(directory, 'my manifest.yaml'), each.source)
    unpack(directory, rendered)
    const variables = { FILE: file }
    const check = commandOf(rendered.verify, 'kubectl-local')
    expect(say(check, directory, variables)).toBe('')
    runShell(commandOf(rendered.apply, 'kubectl-local'), directory, variables)
    expect(say(check, directory, variables)).toBe('yes')
    const object = firstObject(readFileSync(file, 'utf8'))
    if (format === 'yaml') delete object.metadata.namespace
    expect(normal(object)).toEqual(normal(intended(each)))
  })

  /** The command and the check for the workload `plain` of namespace `shop`, with this content in its file. */
  function given(format: ManifestFormat, name: string, text: string) {
    const rendered = render(format, wantedOf(caseOf('plain')))
    const directory = join(root, `${format} ${name}`)
    const file = put(join(directory, 'my manifest.yaml'), text)
    unpack(directory, rendered)
    return {
      file,
      complaintOf: (steps: 'apply' | 'verify') =>
        complaintOf(commandOf(rendered[steps], 'kubectl-local'), directory, { FILE: file }),
      isUntouched: () => readFileSync(file, 'utf8') === text && !existsSync(`${file}.new`),
    }
  }
  const inShop = (text: string, namespace: string) =>
    text.replace('name: plain', `name: plain\n  namespace: ${namespace}`)

  describe.each(['json-patch', 'strategic-merge', 'yaml'] as const)('%s', (format) => {
    test.each([
      ['another name', (text: string) => text.replaceAll('plain', 'other')],
      ['another kind', (text: string) => text.replace('kind: Deployment', 'kind: StatefulSet')],
      ['another namespace', (text: string) => inShop(text, 'blog')],
      ['no object', () => 'resources: []\n'],
    ])('of %s is not changed, and the check prints No', (name, edit) => {
      const { file, ...wrong } = given(format, name, edit(caseOf('plain').source))
      expect(wrong.complaintOf('apply')).toContain(
        `${file} is not the manifest of Deployment shop/plain and was not changed.`,
      )
      expect(wrong.isUntouched()).toBe(true)
      const found = name === 'another namespace' ? /namespace=blog/ : /has no Deployment plain|kubectl cannot read FILE/
      const verdict = wrong.complaintOf('verify')
      expect(verdict).toMatch(/^No: /m)
      expect(verdict).toMatch(found)
    })

    test('of several objects is not changed, with a message', () => {
      const { source } = caseOf('plain')
      const { file, ...wrong } = given(format, 'several', `${source}---\n${source.replaceAll('plain', 'other')}`)
      expect(wrong.complaintOf('apply')).toBe(
        `${file} contains several objects and was not changed. Move Deployment shop/plain to a separate file, or use kustomize.`,
      )
      expect(wrong.isUntouched()).toBe(true)
    })

    test('with its namespace is changed', () => {
      const rendered = render(format, wantedOf(caseOf('plain')))
      const directory = join(root, `${format} own namespace`)
      const variables = { FILE: put(join(directory, 'my.yaml'), inShop(caseOf('plain').source, 'shop')) }
      unpack(directory, rendered)
      runShell(commandOf(rendered.apply, 'kubectl-local'), directory, variables)
      expect(say(commandOf(rendered.verify, 'kubectl-local'), directory, variables)).toBe('yes')
    })
  })

  test('that a patch does not match is not changed', () => {
    const wrong = given('json-patch', 'misfit', caseOf('plain').source.replace('name: app', 'name: renamed'))
    expect(wrong.complaintOf('apply')).toMatch(/test/i)
    expect(wrong.isUntouched()).toBe(true)
  })

  test('that is not set stops the command', () => {
    const { apply, verify } = render('yaml', wantedOf(caseOf('plain')))
    for (const steps of [apply, verify])
      expect(complaintOf(commandOf(steps, 'kubectl-local'), root)).toContain('FILE: is not set')
  })
})

describe.skipIf(!has('kubectl', 'kustomize'))('a kustomization', () => {
  test('gets the component with the printed command, and every printed check prints yes', () => {
    const cases = ['several documents', 'an object name with dots', 'a Knative Service without'].map(caseOf)
    const rendered = render('kustomize', cases.flatMap(wantedOf))
    const directory = join(root, 'kustomization')
    cases.forEach((each, index) => put(join(directory, `${index}.yaml`), each.source))
    put(join(directory, 'kustomization.yaml'), writeYaml({ resources: cases.map((_, index) => `${index}.yaml`) }))
    unpack(directory, rendered)
    const checks = rendered.verify.filter(({ tool }) => tool === 'kustomize')
    expect(checks).toHaveLength(cases.length)
    expect(checks.map(({ command }) => say(command, directory))).toEqual(cases.map(() => ''))
    runShell(commandOf(rendered.apply, 'kustomize'), directory)
    expect(checks.map(({ command }) => say(command, directory))).toEqual(cases.map(() => 'yes'))
  })

  test('keeps an earlier component when a later one is added, also for the same workload', () => {
    const [one, two] = ['plain', 'a StatefulSet with claim'].map(caseOf)
    if (!one || !two) throw new Error('the cases are there')
    const directory = join(root, 'one after another')
    const sources = { 'one.yaml': one.source, 'two.yaml': two.source }
    for (const [name, text] of Object.entries(sources)) put(join(directory, name), text)
    put(join(directory, 'kustomization.yaml'), writeYaml({ resources: Object.keys(sources) }))
    const later = wantedOf({ ...one, set: { app: { limits: { memory: '2Gi' } } } }).map((each) => ({
      ...each,
      id: 'later',
    }))
    const manifests = [wantedOf(one), wantedOf(two), later].map((wanted) => render('kustomize', wanted))
    for (const each of manifests) {
      unpack(directory, each)
      runShell(commandOf(each.apply, 'kustomize'), directory)
    }
    expect(manifests.map(({ verify }) => say(commandOf(verify, 'kustomize'), directory))).toEqual(['yes', 'yes', 'yes'])
  })

  /** The workload `plain` in two places, each with its own kustomization that gets the whole directory `plimsoll`. */
  function expectApart(name: string, wanted: WantedChange[], places: Record<string, string>) {
    const { source } = caseOf('plain')
    const rendered = render('kustomize', wanted)
    const directoryOf = (variable: string) => join(root, name, `of ${variable}`)
    for (const variable of Object.keys(places)) {
      unpack(directoryOf(variable), rendered)
      put(join(directoryOf(variable), 'plain.yaml'), source)
      put(join(directoryOf(variable), 'kustomization.yaml'), writeYaml({ resources: ['plain.yaml'] }))
    }
    const commands = rendered.apply.filter(({ tool }) => tool === 'kustomize').map(({ command }) => command)
    const checks = rendered.verify.filter(({ tool }) => tool === 'kustomize')
    expect(complaintOf(commands[0] ?? '', root)).toMatch(/DIR_FOR_\w+: is not set/)
    const variables = Object.fromEntries(Object.keys(places).map((each) => [each, directoryOf(each)]))
    for (const command of commands) runShell(command, root, variables)
    expect(checks.map(({ command }) => say(command, root, variables))).toEqual(['yes', 'yes'])
    for (const [variable, component] of Object.entries(places)) {
      const text = readFileSync(join(directoryOf(variable), 'kustomization.yaml'), 'utf8')
      expect(text.match(/plimsoll\/\w+\/\w+/g)).toEqual([component])
    }
  }
  const renamed = (name: string) => wantedOf(caseOf('plain')).map((one) => ({ ...one, id: `${name} ${one.id}` }))

  test('of one of several clusters gets the component of that cluster, wherever the commands run', () => {
    const fleet = ['prod', 'eu'].flatMap((name) =>
      renamed(name).map((one) => ({ ...one, clusterId: name, clusterName: name })),
    )
    expectApart('fleet', fleet, { DIR_FOR_PROD: 'plimsoll/prod/shop', DIR_FOR_EU: 'plimsoll/eu/shop' })
  })

  test('of one of two namespaces with the same names gets the component of that namespace', () => {
    const spaces = ['shop', 'blog'].flatMap((name) => inNamespace(name, renamed(name)))
    expectApart('spaces', spaces, { DIR_FOR_SHOP: 'plimsoll/prod/shop', DIR_FOR_BLOG: 'plimsoll/prod/blog' })
  })

  test('that builds two namespaces with the same names for one Application gets both, and each changes its own', () => {
    const annotations = { 'argocd.argoproj.io/tracking-id': 'both:apps/Deployment:x/plain' }
    const spaces = ['shop', 'blog']
    const wanted = spaces.flatMap((name) =>
      inNamespace(name, renamed(name)).map((one) => ({
        ...one,
        live: typeof one.live === 'object' ? { ...one.live, annotations } : one.live,
      })),
    )
    const rendered = render('kustomize', wanted)
    const directory = join(root, 'one application')
    unpack(directory, rendered)
    put(join(directory, 'base/plain.yaml'), caseOf('plain').source)
    put(join(directory, 'base/kustomization.yaml'), writeYaml({ resources: ['plain.yaml'] }))
    for (const namespace of spaces)
      put(join(directory, namespace, 'kustomization.yaml'), writeYaml({ namespace, resources: ['../base'] }))
    put(join(directory, 'kustomization.yaml'), writeYaml({ resources: spaces }))
    const checks = rendered.verify.filter(({ tool }) => tool === 'kustomize').map(({ command }) => command)
    const adds = rendered.apply.filter(({ tool }) => tool === 'kustomize').map(({ command }) => command)
    const answers = () => checks.map((command) => say(command, directory))
    expect(answers()).toEqual(['', ''])
    runShell(adds[0] ?? '', directory)
    expect(answers()).toEqual(['yes', ''])
    runShell(adds[1] ?? '', directory)
    expect(answers()).toEqual(['yes', 'yes'])
  })

  test('in another directory gets an overlay over several namespaces, and every printed check prints yes', () => {
    const cases = ['plain', 'a StatefulSet with claim'].map(caseOf)
    const spaces = ['shop', 'blog']
    const wanted = cases.flatMap((each, index) => inNamespace(spaces[index] ?? '', wantedOf(each)))
    const rendered = render('kustomize', wanted, { base: 'deploy/my.app' })
    const directory = join(root, 'overlay')
    cases.forEach((each, index) => put(join(directory, 'deploy/my.app', `${index}.yaml`), each.source))
    const resources = cases.map((_, index) => `${index}.yaml`)
    put(join(directory, 'deploy/my.app/kustomization.yaml'), writeYaml({ resources }))
    unpack(directory, rendered)
    const checks = rendered.verify.filter(({ tool }) => tool === 'kustomize')
    expect(checks.map(({ command }) => say(command, directory))).toEqual(['yes', 'yes'])
    const built = rendered.files
      .filter(({ path }) => path.endsWith('/kustomization.yaml'))
      .map(({ path }) => dirname(path))
    for (const each of built) expect(say(`kubectl kustomize ${each} >/dev/null && echo built`, directory)).toBe('built')
  })

  test('whose target matches nothing builds without an error, and the check prints No', () => {
    const each = caseOf('plain')
    const rendered = render('kustomize', wantedOf(each))
    const directory = join(root, 'no match')
    put(join(directory, 'other.yaml'), each.source.replaceAll('plain', 'other'))
    put(join(directory, 'kustomization.yaml'), writeYaml({ resources: ['other.yaml'] }))
    unpack(directory, rendered)
    runShell(commandOf(rendered.apply, 'kustomize'), directory)
    expect(runShell('kubectl kustomize . >/dev/null && echo built', directory).trim()).toBe('built')
    expect(say(commandOf(rendered.verify, 'kustomize'), directory)).toBe('')
  })
})

describe.skipIf(!has('kubectl', 'helm'))('a Helm chart', () => {
  const chart = join(import.meta.dirname, 'chart')
  const source = () => runShell(`helm template front ${chart}`, root)

  const serverPath = { path: ['server', 'resources'], source: 'declared' as const }
  const smaller = { server: { requests: { cpu: '250m' }, limits: { cpu: null } } }

  function rendered(options: RenderOptions, set: Case['set'] = smaller): RenderedManifests {
    const text = source()
    const live = liveOf(firstObject(text))
    if (!live) throw new Error('the chart has a workload')
    const labels = { 'helm.sh/chart': 'two-parts-1.0.0', 'app.kubernetes.io/instance': 'front' }
    const wanted = wantedOf({ trap: 'chart', source: text, set }).map((each) => ({
      ...each,
      id: JSON.stringify(set),
      live: { ...live, labels },
    }))
    return render('helm', wanted, { chart, ...options })
  }

  test('gets values that the check finds in the rendered chart, and nothing else changes', () => {
    const result = rendered({ valuesPath: serverPath })
    const directory = join(root, 'helm')
    unpack(directory, result)
    expect(say(commandOf(result.verify, 'helm'), directory)).toBe('yes')
    const [file] = result.files
    const object = firstObject(runShell(`helm template front ${chart} -f ${file?.path}`, directory))
    expect(normal(object)).toEqual(normal(intended({ trap: 'chart', source: source(), set: smaller })))
  })

  test('keeps the values of an earlier manifest when later ones are added', () => {
    const directory = join(root, 'values one after another')
    const [cpu, memory] = [{ cpu: '250m' }, { memory: '99Mi' }].map((requests) =>
      rendered({ valuesPath: serverPath }, { server: { requests } }),
    )
    if (!cpu || !memory) throw new Error('both are rendered')
    unpack(directory, cpu)
    unpack(directory, memory)
    const check = commandOf(cpu.verify, 'helm')
    expect(say(check, directory, { VALUES: memory.files[0]?.path ?? '' })).toBe('yes')
    const both = `helm template front ${chart} -f ${cpu.files[0]?.path} -f ${memory.files[0]?.path}`
    expect(runShell(both, directory)).toMatch(/requests:\s+cpu: 250m\s+memory: 99Mi/)
  })

  test('is checked with the values files of the user, and ours take precedence', () => {
    const result = rendered({ valuesPath: serverPath })
    const directory = join(root, 'own values')
    unpack(directory, result)
    const check = commandOf(result.verify, 'helm')
    const own = (text: string) => ({ VALUES: put(join(directory, 'my values.yaml'), text) })
    expect(say(check, directory, own('server: {resources: {requests: {cpu: "7"}}}'))).toBe('yes')
    expect(say(check, directory, own('server: {resources: {limits: {cpu: "9"}}}'))).toBe('yes')
    expect(say(check, directory, { VALUES: 'is not there.yaml' })).toBe('')
  })

  test('that is not set stops the command first', () => {
    const result = rendered({ valuesPath: serverPath, chart: null })
    const directory = join(root, 'no chart')
    unpack(directory, result)
    const check = commandOf(result.verify, 'helm')
    expect(complaintOf(check, directory)).toMatch(/^[^\n]*CHART: [^\n]*is not set$/)
    expect(say(check, directory, { CHART: chart })).toBe('yes')
  })

  test.each([
    ['server.resources', 'proved'],
    ['resources', 'nowhere'],
    ['server', 'nowhere'],
  ])('verifies its values path with the printed command: %s is %s', (valuesPath, kind) => {
    const sentinel = sentinelOf(valuesPath.split('.'))
    const command = proofCommand(valuesPath, sentinel, { namespace: 'shop', chart, chartLabel: 'front-1.0.0' })
    const variables = { RELEASE: 'front', VALUES: join(chart, 'values.yaml') }
    const place = { namespace: 'shop', kind: 'Deployment', name: 'front-server', container: 'server' }
    expect(provePath(runShell(command, root, variables), place, sentinel).kind).toBe(kind)
  })

  test('with another values path than guessed fails the check', () => {
    const result = rendered({})
    expect(result.files).toMatchObject([{ pathSource: 'guessed' }])
    unpack(join(root, 'guess'), result)
    expect(say(commandOf(result.verify, 'helm'), join(root, 'guess'))).toBe('')
  })
})

const shells = ['sh', 'bash', 'dash', 'zsh'].map(findTool).filter((shell) => shell !== undefined)

const valuesPath = { path: ['resources'], source: 'declared' as const }

describe.each(shells)('a check in %s', (shell) => {
  const fleet = ['prod', 'eu'].flatMap((name) =>
    wantedOf(caseOf('plain')).map((one) => ({ ...one, clusterId: name, clusterName: name, id: name })),
  )

  test.each(['json-patch', 'kustomize', 'helm'] as const)(
    'of %s with a missing variable fails with one message and calls nothing',
    (format) => {
      for (const { command } of render(format, fleet, { valuesPath, chart: null }).verify) {
        // The called tools would not be found, and the shell would report that too.
        const { status, stdout, stderr } = spawnSync(shell, ['-c', command], {
          cwd: root,
          env: { PATH: '/nowhere' },
          encoding: 'utf8',
          // With a pipe as input, bash behaves like a remote shell and reads files of the user first.
          stdio: ['ignore', 'pipe', 'pipe'],
        })
        expect([status === 0, stdout]).toEqual([false, ''])
        expect(stderr).toMatch(/^[^\n]*[A-Z]_FOR_\w+: [^\n]*is not set\n$/)
      }
    },
  )
})

test('every format has a way to apply and to check it', () => {
  for (const format of MANIFEST_FORMATS) {
    const { apply, verify } = render(format, wantedOf(caseOf('plain')), { valuesPath, chart: null })
    expect(apply.length).toBeGreaterThan(0)
    expect(verify.length).toBeGreaterThan(0)
  }
})
