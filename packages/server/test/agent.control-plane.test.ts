import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Cluster, CreatedCluster, LoginResult, Summary } from '@plimsoll/contract'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { findAssets, startControlPlane, type ControlPlane } from '../../../test/control-plane.ts'
import { findPostmaster } from '../src/platform/embedded/postmaster.ts'
import { startServer } from './server-process.ts'

const assets = findAssets()
const agentMain = fileURLToPath(new URL('../../agent/dist/main.js', import.meta.url))
const admin = { email: 'admin@example.com', password: 'correct horse battery' }

type KubeObject = { kind: string; metadata: { name: string } }

/** Two nodes with a list price, and a pod on each of them. */
async function fill(plane: ControlPlane): Promise<void> {
  for (const name of ['node-a', 'node-b']) {
    const labels = {
      'node.kubernetes.io/instance-type': 'm5.xlarge',
      'topology.kubernetes.io/region': 'eu-central-1',
      'topology.kubernetes.io/zone': 'eu-central-1a',
    }
    const spec = { providerID: `aws:///eu-central-1a/i-${name}` }
    await plane.call('POST', '/api/v1/nodes', { metadata: { name, labels }, spec })
    const amounts = { cpu: '4', memory: '16Gi', pods: '58' }
    const status = { capacity: amounts, allocatable: amounts }
    await plane.call('PATCH', `/api/v1/nodes/${name}/status`, { status })
    const resources = { requests: { cpu: '1', memory: '1Gi' } }
    await plane.call('POST', '/api/v1/namespaces/default/pods', {
      metadata: { name: `web-${name}` },
      spec: { nodeName: name, containers: [{ name: 'app', image: 'app', resources }] },
    })
    await plane.call('PATCH', `/api/v1/namespaces/default/pods/web-${name}/status`, { status: { phase: 'Running' } })
  }
}

/** Exactly the permissions of the served manifest, for a user without others. */
async function allow(plane: ControlPlane, manifest: string): Promise<void> {
  const role = parseAllDocuments(manifest)
    .map((document) => document.toJS() as KubeObject)
    .find(({ kind }) => kind === 'ClusterRole')
  const path = '/apis/rbac.authorization.k8s.io/v1'
  await plane.call('POST', `${path}/clusterroles`, role)
  await plane.call('POST', `${path}/clusterrolebindings`, {
    metadata: { name: 'agent' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role?.metadata.name },
    subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'agent-of-test' }],
  })
}

describe.skipIf(assets === undefined)('against a real API server', () => {
  test('a new cluster gets from its creation to its cost with its permissions and its token', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'plimsoll-e2e-'))
    // PostgreSQL may run as another user.
    chmodSync(directory, 0o755)
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
    const plane = await startControlPlane(assets ?? '', { tokens: ['agent-of-test'] })
    onTestFinished(() => plane.stop())
    const server = await startServer({
      PLIMSOLL_DATA_DIR: join(directory, 'server'),
      PLIMSOLL_ADMIN_EMAIL: admin.email,
      PLIMSOLL_ADMIN_PASSWORD: admin.password,
    })
    const url = `http://127.0.0.1:${server.port}`
    onTestFinished(() => server.end())
    await fill(plane)

    const call = async <Body>(path: string, { token, body }: { token?: string; body?: object } = {}) => {
      const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
      const init = body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers }
      return (await (await fetch(`${url}${path}`, init)).json()) as Body
    }
    const { token } = await call<LoginResult>('/auth/login', { body: admin })
    const made = await call<CreatedCluster>('/api/v1/clusters', { token, body: { name: 'real' } })
    await allow(plane, await (await fetch(`${url}/install/agent.yaml`)).text())

    const tokenFile = join(directory, 'token')
    writeFileSync(tokenFile, `${made.agent_token}\n`)
    const kubeconfig = join(directory, 'kubeconfig')
    writeFileSync(kubeconfig, readFileSync(plane.config, 'utf8').replaceAll('for-tests', 'agent-of-test'))
    const args = ['--url', url, '--token-file', tokenFile, '--kubeconfig', kubeconfig, '--port', '0']
    const agent = spawn(process.execPath, [agentMain, ...args, '--data-dir', join(directory, 'agent')], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let log = ''
    agent.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()))
    const ended = once(agent, 'exit')
    onTestFinished(async () => {
      agent.kill('SIGKILL')
      await ended
    })

    const shown = await vi.waitFor(
      async () => {
        const cluster = await call<Cluster>(`/api/v1/clusters/${made.id}`, { token })
        expect(cluster.monthly_cost, log).toBeGreaterThan(0)
        return cluster
      },
      { timeout: 120_000, interval: 500 },
    )
    expect(shown).toMatchObject({ node_count: 2, pod_count: 2, agent: { version: '0.1.0' } })
    // Twice 0.23 USD an hour for the nodes, 0.10 for the control plane, and 730 hours a month.
    expect(shown.monthly_cost).toBeCloseTo((2 * 0.23 + 0.1) * 730, 4)
    const summary = await call<Summary>(`/api/v1/clusters/${made.id}/summary`, { token })
    expect(summary.node_utilization).toMatchObject({ nodes: 2 })
    // metrics.k8s.io is missing, and everything else is readable.
    expect(shown.conditions.filter(({ ok }) => !ok).map(({ type }) => type)).toEqual(['usage'])

    agent.kill('SIGTERM')
    expect((await ended)[0], log).toBe(0)
    expect(log).not.toContain(made.agent_token ?? 'pla_')
    await server.end()
    expect(await findPostmaster(join(directory, 'server', 'postgres'))).toBeUndefined()
  }, 240_000)
})
