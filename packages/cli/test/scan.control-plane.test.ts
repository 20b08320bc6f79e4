import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAssets, startControlPlane, type ControlPlane } from '../../../test/control-plane.ts'
import type { ScanReport } from '../src/scan/scan-report.ts'
import { aDirectory, aRun } from './a-run.ts'

const assets = findAssets()
const execute = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))
const [stranger, reader] = ['stranger-of-test', 'reader-of-test']
let plane: ControlPlane

/** An m5.xlarge in eu-central-1: $0.23 an hour, $167.90 a month. */
const node = (name: string) => ({
  ...{ apiVersion: 'v1', kind: 'Node' },
  metadata: {
    name,
    labels: {
      'kubernetes.io/arch': 'amd64',
      'kubernetes.io/os': 'linux',
      'node.kubernetes.io/instance-type': 'm5.xlarge',
      'topology.kubernetes.io/region': 'eu-central-1',
      'topology.kubernetes.io/zone': 'eu-central-1a',
    },
  },
  spec: { providerID: `aws:///eu-central-1a/${name}` },
})
const nodeStatus = {
  status: {
    capacity: { cpu: '4', memory: '16Gi', pods: '58' },
    allocatable: { cpu: '4', memory: '16Gi', pods: '58' },
    conditions: [{ type: 'Ready', status: 'True' }],
  },
}

const pod = (name: string, nodeName: string, cpu: string) => ({
  ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name } },
  spec: { nodeName, containers: [{ name: 'app', image: 'app', resources: { requests: { cpu, memory: '4Gi' } } }] },
})
const startTime = new Date().toISOString()
const podStatus = { status: { phase: 'Running', startTime } }

const group = 'rbac.authorization.k8s.io'

async function grant(user: string, resources: readonly string[]): Promise<void> {
  const path = `/apis/${group}/v1`
  const named = { metadata: { name: user } }
  await plane.call('POST', `${path}/clusterroles`, {
    ...named,
    rules: [{ apiGroups: [''], resources, verbs: ['list', 'watch', 'get'] }],
  })
  await plane.call('POST', `${path}/clusterrolebindings`, {
    ...named,
    subjects: [{ kind: 'User', name: user, apiGroup: group }],
    roleRef: { kind: 'ClusterRole', name: user, apiGroup: group },
  })
}

/** The kubeconfig of another user. */
async function kubeconfigOf(user: string): Promise<string> {
  const path = join(await aDirectory(), 'config')
  writeFileSync(path, readFileSync(plane.config, 'utf8').replace('for-tests', user))
  return path
}

describe.skipIf(assets === undefined)('a scan of a real API server', () => {
  beforeAll(async () => {
    plane = await startControlPlane(assets ?? '', { tokens: [stranger, reader] })
    for (const name of ['one', 'two']) {
      await plane.call('POST', '/api/v1/nodes', node(name))
      await plane.call('PATCH', `/api/v1/nodes/${name}/status`, nodeStatus)
    }
    await plane.call('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } })
    for (const [name, on] of [
      ['web', 'one'],
      ['mail', 'two'],
    ] as const) {
      await plane.call('POST', '/api/v1/namespaces/shop/pods', pod(name, on, '1'))
      await plane.call('PATCH', `/api/v1/namespaces/shop/pods/${name}/status`, podStatus)
    }
    await grant(reader, ['nodes', 'namespaces', 'pods'])
  }, 240_000)
  afterAll(() => plane.stop())

  const expected = (report: ScanReport) => {
    expect(report).toMatchObject({ nodes: 2, pods: 2, run_rate: { compute: 335.8, unpriced_resources: 0 } })
    expect(report.compute.requested + report.compute.unallocated).toBeCloseTo(335.8, 4)
    // A quarter of the CPU and of the memory of each node is requested.
    expect(report.compute.requested).toBeCloseTo(335.8 / 4, 4)
    expect(report.namespaces).toEqual([{ namespace: 'shop', requested: report.compute.requested }])
  }

  test('it prints cost, unallocated cost and plan without a server', async () => {
    const args = ['scan', '--kubeconfig', plane.config]
    const { exitCode, output, errors } = await aRun([...args, '-o', 'json'])
    expect(errors).not.toContain('Incomplete')
    expect(exitCode).toBe(0)
    const report = JSON.parse(output) as ScanReport
    expected(report)
    expect(report.missing).toEqual([])
    expect(report.withheld.length).toBeGreaterThan(0)
    const table = await aRun(args)
    expect(table.output).toMatch(/Run rate per month: +\$/)
    expect(table.output).toMatch(/Unallocated compute: +\$251\.85/)
  })

  test('the built package contains the scan and its price list', async () => {
    await execute(process.execPath, ['scripts/build.mjs', '--quiet', '--cli'], { cwd: root })
    const args = [join(root, 'packages/cli/dist/main.js'), 'scan', '--kubeconfig', plane.config, '-o', 'json']
    const { stdout } = await execute(process.execPath, args)
    expected(JSON.parse(stdout) as ScanReport)
  })

  test('without a permission it names the kind, continues, and exits with 6', async () => {
    const args = ['scan', '--kubeconfig', await kubeconfigOf(reader), '-o', 'json']
    const { exitCode, output, errors } = await aRun(args)
    expect(exitCode).toBe(6)
    expected(JSON.parse(output) as ScanReport)
    for (const kind of ['persistentvolumes', 'deployments', 'services', 'poddisruptionbudgets']) {
      expect(errors).toContain(`no permission to list and watch ${kind}.`)
    }
  })

  test('without the permissions that a cost needs, it names them and exits with 4', async () => {
    const { exitCode, output, errors } = await aRun(['scan', '--kubeconfig', await kubeconfigOf(stranger)])
    expect({ exitCode, output }).toEqual({ exitCode: 4, output: '' })
    expect(errors).toMatch(/no permission to list and watch nodes, namespaces, pods/)
  })
})

test('a kubeconfig that does not exist is exit code 2, and an API server that does not respond is exit code 5', async () => {
  const home = await aDirectory()
  expect(await aRun(['scan'], { home })).toMatchObject({ exitCode: 2, output: '' })
  const away = {
    clusters: [{ name: 'a', cluster: { server: 'https://127.0.0.1:1' } }],
    users: [{ name: 'a', user: { token: 'x' } }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
    'current-context': 'a',
  }
  writeFileSync(join(home, 'config'), JSON.stringify(away))
  const done = await aRun(['scan', '--kubeconfig', join(home, 'config'), '--timeout', '1'], { home })
  expect(done).toMatchObject({ exitCode: 5, output: '' })
  expect((await aRun(['scan', '--timeout', 'soon'])).exitCode).toBe(2)
})
