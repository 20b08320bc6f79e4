import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { findAssets, startControlPlane, type ControlPlane } from '../../../test/control-plane.ts'
import { inClusterAccess, type ClusterAccess } from '../src/kubernetes/cluster-access.ts'
import { clusterUid, getJson, kubernetesVersion, servedVersions } from '../src/kubernetes/discovery.ts'
import { httpClient } from '../src/kubernetes/http-client.ts'
import { kubeconfigAccess } from '../src/kubernetes/kubeconfig/kubeconfig-access.ts'
import { aCertificate, anAuthority } from '../../../test/certificates.ts'

const assets = findAssets()
let plane: ControlPlane
let directory: string
const { signal } = new AbortController()

const authority = anAuthority('login authority')

/** Reads the namespace kube-system as a user of a kubeconfig with the CA in a separate file. */
async function clientOf(user: object, env: Record<string, string> = {}, cluster: object = {}) {
  copyFileSync(plane.certificate, join(directory, 'ca.crt'))
  const path = join(directory, 'config')
  const config = {
    clusters: [{ name: 'real', cluster: { server: plane.origin, 'certificate-authority': 'ca.crt', ...cluster } }],
    users: [{ name: 'me', user }],
    contexts: [{ name: 'real', context: { cluster: 'real', user: 'me' } }],
    'current-context': 'real',
  }
  writeFileSync(path, JSON.stringify(config))
  const client = httpClient(await kubeconfigAccess({ paths: [path], env, now: Date.now }))
  onTestFinished(() => client.close())
  return client
}

/** Allows this user or group to read namespaces only. */
async function allow(subject: string, kind: 'User' | 'Group' = 'User'): Promise<void> {
  const group = 'rbac.authorization.k8s.io'
  const name = `reads-${subject}`
  const rules = [{ apiGroups: [''], resources: ['namespaces'], verbs: ['get'] }]
  await plane.call('POST', `/apis/${group}/v1/clusterroles`, { metadata: { name }, rules })
  await plane.call('POST', `/apis/${group}/v1/clusterrolebindings`, {
    metadata: { name },
    subjects: [{ kind, name: subject, apiGroup: group }],
    roleRef: { kind: 'ClusterRole', name, apiGroup: group },
  })
  await expect.poll(() => isAllowed(subject, kind), { timeout: 30_000 }).toBe(true)
}

/** The API server reads new roles with a delay, so a binding that was stored may not be in effect yet. */
async function isAllowed(subject: string, kind: 'User' | 'Group'): Promise<boolean> {
  const who = kind === 'User' ? { user: subject } : { user: 'a member', groups: [subject] }
  const resourceAttributes = { verb: 'get', resource: 'namespaces', name: 'kube-system' }
  const spec = { ...who, resourceAttributes }
  const review = await plane.call('POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews', { spec })
  return (review as { status: { allowed: boolean } }).status.allowed
}

async function versionSeenWith(access: ClusterAccess): Promise<string> {
  const client = httpClient(access)
  try {
    return await kubernetesVersion(client, signal)
  } finally {
    client.close()
  }
}

describe.skipIf(assets === undefined)('a real API server is reached', () => {
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'plimsoll-access-'))
    const logins = join(directory, 'login-authority.crt')
    writeFileSync(logins, authority.cert)
    plane = await startControlPlane(assets ?? '', {
      tokens: ['by-token'],
      apiServerArguments: ['--client-ca-file', logins],
    })
  }, 180_000)
  afterAll(async () => {
    await plane.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  test('from outside, with the credentials of kubectl', async () => {
    const access = await kubeconfigAccess({ paths: [plane.config], env: {}, now: Date.now })
    expect(await versionSeenWith(access)).toMatch(/^v1\.\d+/)
    const client = httpClient(access)
    expect(await clusterUid(client, signal)).toMatch(/^[0-9a-f-]{36}$/)
    expect(await servedVersions(client, 'apps', signal)).toEqual(['v1'])
    expect(await servedVersions(client, 'karpenter.sh', signal)).toEqual([])
    client.close()
  })

  test('from inside, with a certificate that is verified and a token that is replaced', async () => {
    const { hostname: host, port } = new URL(plane.origin)
    copyFileSync(plane.certificate, join(directory, 'ca.crt'))
    writeFileSync(join(directory, 'token'), 'for-tests')
    let now = 0
    const access = inClusterAccess({ host, port, directory, now: () => now })
    expect(await versionSeenWith(access)).toMatch(/^v1\.\d+/)
    const client = httpClient(access)
    writeFileSync(join(directory, 'token'), 'expired')
    expect(await clusterUid(client, signal)).toMatch(/^[0-9a-f-]{36}$/)
    now += 11_000
    await expect(clusterUid(client, signal)).rejects.toThrow('401')
    writeFileSync(join(directory, 'token'), 'for-tests')
    now += 11_000
    expect(await clusterUid(client, signal)).toMatch(/^[0-9a-f-]{36}$/)
    client.close()
  })

  test('with a token file that is replaced while the agent runs', async () => {
    await allow('by-token')
    writeFileSync(join(directory, 'user-token'), 'by-token\n')
    const client = await clientOf({ tokenFile: 'user-token' })
    expect(await clusterUid(client, signal)).toMatch(/^[0-9a-f-]{36}$/)
    writeFileSync(join(directory, 'user-token'), 'expired')
    const other = await clientOf({ tokenFile: 'user-token' })
    await expect(clusterUid(other, signal)).rejects.toThrow('401')
    writeFileSync(join(directory, 'user-token'), 'by-token')
    // A rejected login is re-read at once.
    expect(await clusterUid(other, signal)).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('with a cluster and a user from two files of KUBECONFIG', async () => {
    const server = { server: plane.origin, 'insecure-skip-tls-verify': true }
    const context = { name: 'real', context: { cluster: 'real', user: 'me' } }
    const files = [
      { clusters: [{ name: 'real', cluster: server }], contexts: [context], 'current-context': 'real' },
      { users: [{ name: 'me', user: { token: 'for-tests' } }], 'current-context': 'other' },
    ]
    const paths = files.map((file, index) => {
      const path = join(directory, `part-${index}`)
      writeFileSync(path, JSON.stringify(file))
      return path
    })
    const access = await kubeconfigAccess({ paths, env: {}, now: Date.now })
    expect(await versionSeenWith(access)).toMatch(/^v1\.\d+/)
  })

  test('through the proxy-url of the kubeconfig', async () => {
    const targets: unknown[] = []
    const proxy = createServer().on('connect', (request, socket: Socket) => {
      targets.push(request.url)
      const { hostname, port } = new URL(plane.origin)
      const target = connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        socket.pipe(target).pipe(socket)
      })
      for (const each of [socket, target]) each.on('error', () => undefined)
    })
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void proxy.close())
    const { port } = proxy.address() as AddressInfo
    const client = await clientOf({ token: 'for-tests' }, {}, { 'proxy-url': `http://127.0.0.1:${port}` })
    expect(await clusterUid(client, signal)).toMatch(/^[0-9a-f-]{36}$/)
    expect(targets).toEqual([new URL(plane.origin).host])
  })

  test('with a client certificate from files', async () => {
    await allow('by-certificate')
    const { cert, key } = aCertificate('by-certificate', authority)
    writeFileSync(join(directory, 'user.crt'), cert)
    writeFileSync(join(directory, 'user.key'), key)
    const client = await clientOf({ 'client-certificate': 'user.crt', 'client-key': 'user.key' })
    expect(await clusterUid(client, signal)).toMatch(/^[0-9a-f-]{36}$/)
    const stranger = aCertificate('by-certificate', anAuthority('somebody else'))
    const data = (text: string) => Buffer.from(text).toString('base64')
    const rejected = { 'client-certificate-data': data(stranger.cert), 'client-key-data': data(stranger.key) }
    await expect(clusterUid(await clientOf(rejected), signal)).rejects.toThrow('401')
  })

  test.each([
    ['a token', () => ({ token: 'by-token' })],
    [
      'a client certificate',
      () => {
        const { cert, key } = aCertificate('by-certificate', authority)
        return { clientCertificateData: cert, clientKeyData: key }
      },
    ],
  ])('with %s of an exec plugin that runs once', async (_name, makeStatus) => {
    const credential = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: makeStatus() }
    writeFileSync(join(directory, 'credential.json'), JSON.stringify(credential))
    writeFileSync(join(directory, 'login'), '#!/bin/sh\necho run >> "$RUNS"; cat "$CREDENTIAL"\n')
    chmodSync(join(directory, 'login'), 0o755)
    const runs = join(directory, 'runs')
    writeFileSync(runs, '')
    const env = [
      { name: 'RUNS', value: runs },
      { name: 'CREDENTIAL', value: join(directory, 'credential.json') },
    ]
    const { apiVersion } = credential
    const path = process.env.PATH ?? ''
    const client = await clientOf({ exec: { apiVersion, command: './login', env } }, { PATH: path })
    const uids = await Promise.all([1, 2, 3].map(() => clusterUid(client, signal)))
    expect(new Set(uids).size).toBe(1)
    expect(readFileSync(runs, 'utf8')).toBe('run\n')
  })

  test('as another user, with the groups, uid and extra fields of an impersonation', async () => {
    const client = await clientOf({
      ...{ token: 'for-tests', as: 'grace', 'as-uid': '42', 'as-groups': ['dev', 'ops'] },
      'as-user-extra': { 'example.com/team': ['a', 'b'] },
    })
    await expect(getJson(client, '/api/v1/namespaces/kube-system', signal)).rejects.toThrow('User "grace" cannot get')
    // Only the second group has the permission, so the API server must have read both.
    await allow('ops', 'Group')
    expect(await clusterUid(client, signal)).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('a missing login and a missing permission are different errors', async () => {
    const [stranger, guest] = [await clientOf({ token: 'nobody' }), await clientOf({ token: 'for-tests', as: 'guest' })]
    await expect(clusterUid(stranger, signal)).rejects.toMatchObject({ status: 401 })
    await expect(clusterUid(guest, signal)).rejects.toMatchObject({ status: 403 })
  })

  test('fails if the certificate has no trusted issuer', async () => {
    const access = { origin: plane.origin, credentials: async () => ({ headers: {}, tls: {} }) }
    await expect(versionSeenWith(access)).rejects.toThrow(/certificate/)
  })
})
