import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { LiveWorkload } from '@plimsoll/engine/manifests'
import { MANIFEST_FORMATS } from '@plimsoll/engine/vocabulary'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { wantedOf } from './from-source.ts'
import { runShell } from './kube-tools.ts'
import { put, render } from './render.ts'
import { source } from './shown-workloads.ts'

let root: string
let tools: string
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'plimsoll-hostile-'))
  tools = join(root, 'tools')
  // Each tool writes down the arguments that a shell passes to it.
  const script = `#!/bin/sh\nprintf '%s\\0' "$@" >> "$LOG"\n`
  for (const name of ['kubectl', 'kustomize', 'helm', 'argocd', 'flux'])
    chmodSync(put(join(tools, name), script), 0o755)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const hostile = [
  '$(touch harmed)`touch harmed`; touch harmed | touch harmed & touch harmed',
  `'; touch harmed; '"; touch harmed; "$(touch harmed)'`,
  'two\ntouch harmed\n',
  '--kubeconfig=../../harmed',
]

/** Labels and annotations of a workload that are used in commands. */
const managedBy = (live: LiveWorkload, name: string): LiveWorkload => ({
  ...live,
  labels: {
    'helm.sh/chart': name,
    'app.kubernetes.io/instance': name,
    'kustomize.toolkit.fluxcd.io/name': name,
    'kustomize.toolkit.fluxcd.io/namespace': name,
  },
  annotations: {
    'meta.helm.sh/release-name': name,
    'argocd.argoproj.io/tracking-id': `${name}:apps/Deployment:shop/web`,
  },
})

const isAboutCluster = ({ command }: { command: string }) => command.includes('CONTEXT_FOR_')

test.each(hostile)(
  '%j as name of a cluster, a release, an application or a chart stays one word of every command',
  (name) => {
    const [wanted] = wantedOf({ trap: 'hostile', source: source('web'), set: { app: { requests: { cpu: '250m' } } } })
    if (!wanted || typeof wanted.live !== 'object') throw new Error('there is a workload')
    const live = managedBy(wanted.live, name)
    const fleet = [
      { ...wanted, live, clusterName: name },
      { ...wanted, live, id: 'rec_2', clusterId: 'cls_2', clusterName: 'other' },
    ]
    for (const format of MANIFEST_FORMATS) {
      const chart = `./${name}`
      const { apply, verify } = render(format, fleet, { chart })
      const directory = mkdtempSync(join(root, 'run-'))
      const log = join(directory, 'log')
      const file = put(join(directory, 'file.yaml'), source('web'))
      const variables = { LOG: log, FILE: file, PATH: [tools, process.env.PATH].join(delimiter) }
      const steps = [...apply, ...verify]
      for (const { command } of steps.filter(isAboutCluster))
        expect(() => runShell(command, directory, variables)).toThrow()
      expect(existsSync(log), 'without its context no tool is called').toBe(false)
      const contexts = steps.flatMap(({ command }) => /CONTEXT_FOR_\w+/.exec(command) ?? [])
      const guards = steps.flatMap(({ command }) => [...command.matchAll(/\$\{(\w+):\?is not set\}/g)])
      const known = Object.fromEntries(guards.map(([, each = '']) => [each, `my ${each}`]))
      const script = steps.map(({ command }) => `(${command}) || true`).join('\n')
      runShell(script, directory, { ...variables, ...known })
      expect(existsSync(join(directory, 'harmed')), format).toBe(false)
      const words = readFileSync(log, 'utf8').split('\0')
      const flag = format === 'helm' ? '--kube-context' : '--context'
      expect(new Set(contexts).size).toBe(2)
      for (const each of contexts) expect(words).toContain(`${flag}=my ${each}`)
      if (format === 'helm') expect(words).toContain(chart)
      if (format === 'helm')
        expect(words.filter((word) => word.startsWith('my RELEASE_FOR_')).length).toBeGreaterThan(1)
    }
  },
)
