import { spawn, type ChildProcess } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { runTool } from './kube-tools.ts'

export type ControlPlane = {
  kubectl: (...args: string[]) => Promise<string>
  /** For commands that people would paste. */
  config: string
  stop: () => Promise<void>
}

/** Where a real API server is, such as scripts/build-control-plane makes it; undefined where nobody says that there is one. */
export function findAssets(): string | undefined {
  const directory = process.env.KUBEBUILDER_ASSETS
  if (directory === undefined || directory === '') {
    process.stderr.write(
      'SKIPPED: no API server; build one with scripts/build-control-plane and set KUBEBUILDER_ASSETS\n',
    )
    return undefined
  }
  // Who names a directory wants the tests to run: skipping them without a word would look like success.
  for (const name of ['etcd', 'kube-apiserver', 'kubectl']) {
    if (!existsSync(join(directory, name)))
      throw new Error(`KUBEBUILDER_ASSETS names ${directory}, which has no ${name}`)
  }
  return directory
}

/** etcd and an API server on loopback. No controllers: what is created stays as it was sent. */
export async function startControlPlane(assets: string): Promise<ControlPlane> {
  const state = mkdtempSync(join(tmpdir(), 'plimsoll-kube-'))
  const [port, clients, peers] = [await freePort(), await freePort(), await freePort()]
  const children: ChildProcess[] = []
  const start = (name: string, ...args: string[]) => {
    children.push(spawn(join(assets, name), args, { stdio: 'ignore' }))
  }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  writeFileSync(join(state, 'sa.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }))
  writeFileSync(join(state, 'tokens.csv'), 'for-tests,admin,admin,"system:masters"\n')
  writeFileSync(join(state, 'config'), configOf(port))
  const etcd = `http://127.0.0.1:${clients}`
  start(
    'etcd',
    '--data-dir',
    join(state, 'etcd'),
    '--unsafe-no-fsync',
    '--listen-client-urls',
    etcd,
    '--advertise-client-urls',
    etcd,
    '--listen-peer-urls',
    `http://127.0.0.1:${peers}`,
  )
  start(
    'kube-apiserver',
    '--etcd-servers',
    etcd,
    '--cert-dir',
    join(state, 'certs'),
    '--secure-port',
    String(port),
    '--bind-address',
    '127.0.0.1',
    '--service-cluster-ip-range',
    '10.0.0.0/16',
    '--service-account-issuer',
    'https://kubernetes.default',
    '--service-account-key-file',
    join(state, 'sa.key'),
    '--service-account-signing-key-file',
    join(state, 'sa.key'),
    '--token-auth-file',
    join(state, 'tokens.csv'),
    '--authorization-mode',
    'RBAC',
    '--disable-admission-plugins',
    'ServiceAccount',
  )
  const run = (...args: string[]) => runTool(join(assets, 'kubectl'), ['--kubeconfig', join(state, 'config'), ...args])
  const stop = async () => {
    await Promise.all(children.map(end))
    rmSync(state, { recursive: true, force: true })
  }
  try {
    await ready(run)
  } catch (error) {
    await stop()
    throw error
  }
  return { kubectl: run, config: join(state, 'config'), stop }
}

const configOf = (port: number) =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'local', cluster: { server: `https://127.0.0.1:${port}`, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'admin', user: { token: 'for-tests' } }],
    contexts: [{ name: 'local', context: { cluster: 'local', user: 'admin' } }],
    'current-context': 'local',
  })

async function ready(run: ControlPlane['kubectl'], tries = 120): Promise<void> {
  try {
    await run('get', '--raw', '/readyz')
  } catch (error) {
    if (tries === 0) throw error
    await new Promise((resolve) => setTimeout(resolve, 500))
    await ready(run, tries - 1)
  }
}

const end = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    if (child.exitCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGKILL')
  })
