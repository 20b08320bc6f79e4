import { spawn, type ChildProcess } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from './free-port.ts'

/** A real Kubernetes API server with etcd, on loopback. No controllers: objects stay as created. */
export type ControlPlane = {
  readonly origin: string
  /** A kubeconfig file with all permissions. */
  readonly config: string
  /** The certificate file of the API server, which is its own authority. */
  readonly certificate: string
  /** Sends a request with all permissions; throws unless the response is a success. */
  call: (method: string, path: string, body?: unknown) => Promise<unknown>
  /** Starts another part of the control plane, such as the scheduler. */
  start: (name: string, ...args: string[]) => void
  stopApiServer: () => Promise<void>
  startApiServer: () => Promise<void>
  /** Compacts etcd: watches from an earlier version get 410. */
  compact: () => Promise<void>
  /** Changes the stored metadata of an object, also fields that the API server sets. Needs storage as JSON. */
  editMetadata: (key: string, changes: Readonly<Record<string, string>>) => Promise<void>
  stop: () => Promise<void>
}

/** Users in addition to the admin: a token each, and no permissions until they are granted. */
type Options = { tokens?: readonly string[]; apiServerArguments?: readonly string[] }

const adminToken = 'for-tests'

/** Directory of a real API server, such as scripts/build-control-plane builds; undefined if it is not set. */
export function findAssets(parts: readonly string[] = []): string | undefined {
  const directory = process.env.KUBEBUILDER_ASSETS
  if (directory === undefined || directory === '') {
    process.stderr.write(
      'SKIPPED: no API server; build one with scripts/build-control-plane and set KUBEBUILDER_ASSETS\n',
    )
    return undefined
  }
  // A set directory means that the tests must run: skipping them silently would look like success.
  for (const name of ['etcd', 'kube-apiserver', 'kubectl', ...parts]) {
    if (!existsSync(join(directory, name)))
      throw new Error(`KUBEBUILDER_ASSETS names ${directory}, which has no ${name}`)
  }
  return directory
}

export async function startControlPlane(assets: string, options: Options = {}): Promise<ControlPlane> {
  const state = mkdtempSync(join(tmpdir(), 'plimsoll-kube-'))
  const [port, clients, peers] = [await freePort(), await freePort(), await freePort()]
  const [origin, etcd] = [`https://127.0.0.1:${port}`, `http://127.0.0.1:${clients}`]
  const config = join(state, 'config')
  writeFiles(state, config, origin, options.tokens ?? [])
  const children = new Set<ChildProcess>()
  const start = (name: string, ...args: string[]) => {
    const child = spawn(join(assets, name), args, { stdio: 'ignore', env: { ...process.env, KUBECONFIG: config } })
    children.add(child)
    return child
  }
  start('etcd', ...etcdArguments(state, etcd, `http://127.0.0.1:${peers}`))
  let apiServer: ChildProcess | undefined
  const call = caller(origin)
  const startApiServer = async () => {
    apiServer = start('kube-apiserver', ...apiServerArguments(state, etcd, port), ...(options.apiServerArguments ?? []))
    await ready(call)
  }
  const stop = async () => {
    await Promise.all([...children].map(end))
    rmSync(state, { recursive: true, force: true })
  }
  try {
    await startApiServer()
  } catch (error) {
    await stop()
    throw error
  }
  return {
    origin,
    config,
    certificate: join(state, 'certs', 'apiserver.crt'),
    call,
    start: (name, ...args) => void start(name, ...args),
    stopApiServer: async () => {
      if (apiServer) await end(apiServer)
    },
    startApiServer,
    compact: () => compact(etcd),
    editMetadata: (key, changes) => editMetadata(etcd, key, changes),
    stop,
  }
}

function writeFiles(state: string, config: string, origin: string, tokens: readonly string[]): void {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(join(state, 'sa.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }))
  const others = tokens.map((token) => `${token},${token},${token},""\n`)
  writeFileSync(join(state, 'tokens.csv'), `${adminToken},admin,admin,"system:masters"\n${others.join('')}`)
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'local', cluster: { server: origin, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token: adminToken } }],
    contexts: [{ name: 'local', context: { cluster: 'local', user: 'admin' } }],
    'current-context': 'local',
  }
  writeFileSync(config, JSON.stringify(kubeconfig))
}

const etcdArguments = (state: string, clients: string, peers: string) => [
  ...['--data-dir', join(state, 'etcd'), '--unsafe-no-fsync'],
  ...['--listen-client-urls', clients, '--advertise-client-urls', clients, '--listen-peer-urls', peers],
]

const apiServerArguments = (state: string, etcd: string, port: number) => [
  ...['--etcd-servers', etcd, '--cert-dir', join(state, 'certs')],
  ...['--secure-port', String(port), '--bind-address', '127.0.0.1'],
  ...['--service-cluster-ip-range', '10.0.0.0/16', '--service-account-issuer', 'https://kubernetes.default'],
  ...['--service-account-key-file', join(state, 'sa.key')],
  ...['--service-account-signing-key-file', join(state, 'sa.key')],
  ...['--token-auth-file', join(state, 'tokens.csv'), '--authorization-mode', 'RBAC'],
  ...['--disable-admission-plugins', 'ServiceAccount'],
]

function caller(origin: string): ControlPlane['call'] {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  return (method, path, body) =>
    new Promise((resolve, reject) => {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
      const sent = body === undefined ? '' : JSON.stringify(body)
      const headers = {
        authorization: `Bearer ${adminToken}`,
        ...(sent === '' ? {} : { 'content-type': type, 'content-length': Buffer.byteLength(sent) }),
      }
      const asked = request(`${origin}${path}`, { method, headers, agent, rejectUnauthorized: false }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('error', reject)
        response.on('end', () => {
          const { statusCode = 0 } = response
          if (statusCode >= 300) reject(new Error(`${method} ${path}: ${statusCode} ${text}`))
          else resolve(text.startsWith('{') ? JSON.parse(text) : text)
        })
      })
      asked.on('error', reject)
      asked.end(sent)
    })
}

type StoredKeys = { header: { revision: string }; kvs?: { value: string }[] }

async function callEtcd(etcd: string, path: string, body: unknown): Promise<StoredKeys> {
  const response = await fetch(`${etcd}/v3/kv/${path}`, { method: 'POST', body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return (await response.json()) as StoredKeys
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

async function compact(etcd: string): Promise<void> {
  const { header } = await callEtcd(etcd, 'range', { key: base64('/') })
  await callEtcd(etcd, 'compaction', { revision: header.revision, physical: true })
}

async function editMetadata(etcd: string, key: string, changes: Readonly<Record<string, string>>): Promise<void> {
  const path = base64(`/registry/${key}`)
  const [stored] = (await callEtcd(etcd, 'range', { key: path })).kvs ?? []
  if (!stored) throw new Error(`etcd has no ${key}`)
  const object = JSON.parse(Buffer.from(stored.value, 'base64').toString()) as { metadata: object }
  const edited = { ...object, metadata: { ...object.metadata, ...changes } }
  await callEtcd(etcd, 'put', { key: path, value: base64(JSON.stringify(edited)) })
}

async function ready(call: ControlPlane['call'], tries = 240): Promise<void> {
  try {
    await call('GET', '/readyz')
    await call('GET', '/api/v1/namespaces/kube-system')
  } catch (error) {
    if (tries === 0) throw error
    await new Promise((resolve) => setTimeout(resolve, 250))
    await ready(call, tries - 1)
  }
}

const end = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
