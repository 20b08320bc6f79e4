import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Cluster, CreatedCluster, LoginResult } from '@plimsoll/contract'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { findAssets, startControlPlane } from '../../../../test/control-plane.ts'
import { freePort } from '../../../../test/free-port.ts'
import { patience } from '../patience.ts'
import { emptyDatabase } from '../test-database.ts'
import { findImages, readImageConfig, runImage } from './container.ts'

const images = findImages()
const assets = images === undefined ? undefined : findAssets()
const admin = { email: 'admin@example.com', password: 'correct horse battery' }

async function startServerImage(directory: string) {
  const { url: databaseUrl } = await emptyDatabase()
  const port = await freePort()
  const server = runImage(directory, 'server', {
    env: {
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      PLIMSOLL_PUBLIC_URL: `http://127.0.0.1:${port}`,
      PLIMSOLL_ADMIN_EMAIL: admin.email,
      PLIMSOLL_ADMIN_PASSWORD: admin.password,
    },
  })
  onTestFinished(async () => void (await server.stop()))
  const url = `http://127.0.0.1:${port}`
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz`)).status, server.output()).toBe(200), {
    ...patience,
    interval: 100,
  })
  return { server, url }
}

const userOf = (pid: number) => /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]

const find = (directory: string, ...tests: string[]) =>
  execFileSync('find', [directory, '-type', 'f', ...tests], { encoding: 'utf8' }).split('\n')

const megabytesOf = (directory: string) =>
  find(directory, '-printf', '%s\\n').reduce((sum, bytes) => sum + Number(bytes), 0) / 1e6

describe.skipIf(images === undefined)('the container images', () => {
  const directory = images ?? ''

  test.each([
    ['server', 230],
    ['agent', 150],
  ])('%s has no shell, no package manager and no user root, and is small', (name, megabytesMax) => {
    const root = join(directory, name)
    const programs = find(root, '-perm', '/111').map((path) => path.slice(root.length))
    expect(programs).toContain('/usr/local/bin/node')
    expect(programs.filter((path) => /\/(sh|bash|busybox|npm|apk|apt|dpkg)$/.test(path))).toEqual([])
    expect(readImageConfig(directory, name).User).toBe('65532:65532')
    expect(megabytesOf(root)).toBeLessThan(megabytesMax)
    const bom = JSON.parse(readFileSync(join(root, 'app/sbom.cyclonedx.json'), 'utf8')) as {
      components: { name: string }[]
    }
    expect(bom.components.map((component) => component.name)).toContain('yaml')
  })

  test('the server serves API and dashboard on a read-only file system, and ends on SIGTERM', async () => {
    const { server, url } = await startServerImage(directory)
    expect(userOf(server.pid)).toBe('65532')
    const page = await (await fetch(url)).text()
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1]
    expect((await fetch(`${url}${script}`)).status).toBe(200)
    expect((await fetch(`${url}/install/agent.yaml`)).status).toBe(200)
    expect(await server.stop(), server.output()).toBe(0)
  }, 240_000)

  test.skipIf(assets === undefined)(
    'the agent sends its cluster to the server',
    async () => {
      const plane = await startControlPlane(assets ?? '')
      onTestFinished(() => plane.stop())
      await plane.call('POST', '/api/v1/nodes', { metadata: { name: 'node-a' } })
      const amounts = { cpu: '4', memory: '16Gi', pods: '58' }
      const status = { capacity: amounts, allocatable: amounts }
      await plane.call('PATCH', '/api/v1/nodes/node-a/status', { status })

      const { url } = await startServerImage(directory)
      const call = async <Body>(path: string, token?: string, body?: object) => {
        const headers = { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) }
        const init = body ? { method: 'POST', body: JSON.stringify(body), headers } : { headers }
        return (await (await fetch(`${url}${path}`, init)).json()) as Body
      }
      const { token } = await call<LoginResult>('/auth/login', undefined, admin)
      const made = await call<CreatedCluster>('/api/v1/clusters', token, { name: 'image' })
      const agent = runImage(directory, 'agent', {
        args: ['--url', url, '--kubeconfig', '/etc/plimsoll/kubeconfig', '--port', '0'],
        files: {
          '/etc/plimsoll/token': made.agent_token ?? '',
          '/etc/plimsoll/kubeconfig': readFileSync(plane.config, 'utf8'),
        },
        writable: ['/var/lib/plimsoll-agent'],
      })
      onTestFinished(async () => void (await agent.stop()))
      await vi.waitFor(
        async () => {
          const cluster = await call<Cluster>(`/api/v1/clusters/${made.id}`, token)
          expect(cluster.node_count, agent.output()).toBe(1)
        },
        { ...patience, interval: 500 },
      )
      expect(userOf(agent.pid)).toBe('65532')
      expect(existsSync(join(directory, 'agent/var/lib/plimsoll-agent/log'))).toBe(false)
      expect(await agent.stop(), agent.output()).toBe(0)
    },
    240_000,
  )
})
