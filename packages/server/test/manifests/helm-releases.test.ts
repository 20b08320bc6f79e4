import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ReleaseSibling, WantedChange } from '@plimsoll/engine/manifests'
import type { DeclaredPath } from '@plimsoll/engine/testing'
import { renderManifests } from '@plimsoll/engine/manifests'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proofCommand } from '../../src/manifests/proof-command.ts'
import { provePath, sentinelOf } from '../../src/manifests/prove-path.ts'
import { intended, liveOf, normal, readObjects, wantedOf, type KubeObject } from './from-source.ts'
import { findTool, runShell } from './kube-tools.ts'
import { unpack } from './render.ts'

const hasTools = ['kubectl', 'helm'].every((tool) => findTool(tool) !== undefined)
const chart = join(import.meta.dirname, 'umbrella')
const set = { app: { requests: { cpu: '250m' } } }

type Labelled = KubeObject & { metadata: { labels: Record<string, string> } }

/** A chart with two workloads of one path, a list of jobs, and a subchart under two aliases. */
describe.skipIf(!hasTools)('a release with several workloads', () => {
  let root: string
  let objects: Labelled[]
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), 'plimsoll-releases-'))
    objects = readObjects(runShell(`helm template front ${chart}`, root)) as Labelled[]
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  const siblingOf = ({ kind, metadata: { name, labels } }: Labelled): ReleaseSibling => ({
    kind,
    name,
    chart: labels['helm.sh/chart'] ?? null,
    component: null,
  })

  /** As the agent sends the objects of the release. */
  const wantedFor = (...names: string[]): WantedChange[] =>
    objects
      .filter(({ metadata: { name } }) => names.includes(name))
      .flatMap((object) => {
        const releaseSiblings = objects.filter((each) => each !== object).map(siblingOf)
        const live = liveOf(object)
        if (!live) throw new Error('the chart renders workloads')
        const { labels } = object.metadata
        return wantedOf({ trap: 'release', source: JSON.stringify(object), set }).map((each) => ({
          ...each,
          live: { ...live, labels, releaseSiblings },
        }))
      })

  const rendered = (wanted: readonly WantedChange[], paths: Record<string, string> = {}) => {
    const declaredPath: DeclaredPath = ({ target }) => {
      const path = paths[target.name]
      return path === undefined ? undefined : { path: path.split('.'), source: 'declared' }
    }
    return renderManifests({
      format: 'helm',
      wanted,
      facts: [],
      skipped: [],
      declaredPath,
      storedClaims: () => [],
      chartOf: () => chart,
      kustomizeBase: null,
      namesakes: [],
    })
  }

  test('has no guessed value for any of them', () => {
    const names = objects.map(({ metadata: { name } }) => name)
    expect(names).toHaveLength(6)
    const { files, skipped } = rendered(wantedFor(...names))
    expect(files).toEqual([])
    expect(skipped.map(({ code }) => code)).toEqual(names.map(() => 'helm_path_unknown'))
    expect(skipped[0]?.message).toContain('The path of a subchart starts with its name or alias.')
  })

  test('has the value of an aliased subchart under its alias, and nothing else changes', () => {
    const result = rendered(wantedFor('front-first'), { 'front-first': 'first.resources' })
    const directory = join(root, 'alias')
    unpack(directory, result)
    const [file] = result.files
    const after = readObjects(runShell(`helm template front ${chart} -f ${file?.path}`, directory))
    const wanted = objects.map((object) =>
      object.metadata.name === 'front-first'
        ? intended({ trap: 'release', source: JSON.stringify(object), set })
        : object,
    )
    expect(after.map((object) => normal(object))).toEqual(wanted.map((object) => normal(object)))
    const check = result.verify.find(({ tool }) => tool === 'helm')?.command ?? ''
    expect(runShell(check, directory).trim()).toBe('yes')
  })

  test('fails the check if a declared path is not that of the subchart', () => {
    const result = rendered(wantedFor('front-first'), { 'front-first': 'cache.resources' })
    const directory = join(root, 'no alias')
    unpack(directory, result)
    const check = result.verify.find(({ tool }) => tool === 'helm')?.command ?? ''
    expect(() => runShell(check, directory)).toThrow(/The path of a subchart starts with its name or alias/)
  })

  test.each([
    ['front-first', 'first.resources', 'proved'],
    ['front-first', 'cache.resources', 'nowhere'],
    ['front-first', 'resources', 'elsewhere'],
    ['front-web', 'resources', 'elsewhere'],
  ])('verifies a path only if one container has it: %s at %s is %s', (name, valuesPath, kind) => {
    const sentinel = sentinelOf(valuesPath.split('.'))
    const command = proofCommand(valuesPath, sentinel, { namespace: 'shop', chart, chartLabel: null })
    const place = { namespace: 'shop', kind: 'Deployment', name, container: 'app' }
    expect(provePath(runShell(command, root, { RELEASE: 'front' }), place, sentinel).kind).toBe(kind)
  })

  test('has no value for two workloads that declare one path, nor for a position in a list', () => {
    const shared = rendered(wantedFor('front-web', 'front-admin'), {
      'front-web': 'resources',
      'front-admin': 'resources',
    })
    expect(shared.files).toEqual([])
    expect(shared.skipped.map(({ code }) => code)).toEqual(['helm_path_shared', 'helm_path_shared'])
    const listed = rendered(wantedFor('front-nightly'), { 'front-nightly': 'jobs.0.resources' })
    expect(listed.files).toEqual([])
    expect(listed.skipped.map(({ code }) => code)).toEqual(['helm_path_in_list'])
  })
})
