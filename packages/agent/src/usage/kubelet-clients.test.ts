import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { aCertificate, anAuthority, type Authority, type Certified } from '../../../../test/certificates.ts'
import type { Credentials } from '../kubernetes/cluster-access.ts'
import { kubeletClients } from './kubelet-clients.ts'
import { kubelet } from './kubelet.ts'

const host = '127.0.0.1'
const metrics = 'container_memory_working_set_bytes{container="app",namespace="shop",pod="web-1"} 2048 1790000000000\n'
const { signal } = new AbortController()
let authority: Authority
beforeAll(() => {
  authority = anAuthority('the cluster')
})

/** A kubelet over real TLS that returns the tokens it received. */
async function aKubelet({ cert, key }: Certified): Promise<{ port: number; shown: (string | undefined)[] }> {
  const shown: (string | undefined)[] = []
  const server = createServer({ cert, key }, (request, response) => {
    shown.push(request.headers.authorization)
    response.end(metrics)
  })
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, shown }
}

function sourceOf(ports: readonly number[], isVerified: boolean, tls: Credentials['tls'] = {}) {
  const credentials = async () => ({ headers: { authorization: 'Bearer ours' }, tls: { ca: authority.cert, ...tls } })
  return kubelet({
    places: () => ports.map((port) => ({ host, port })),
    clientOf: kubeletClients({ access: { credentials }, isVerified }),
    now: Date.now,
  })
}

async function sample(source: ReturnType<typeof sourceOf>): Promise<number> {
  let seen = 0
  const count = () => void (seen += 1)
  await source.sample({ cpuCounter: count, cpuRate: count, memory: count }, signal)
  return seen
}

test('a kubelet with a certificate of the cluster for its address is read', async () => {
  const { port, shown } = await aKubelet(aCertificate(host, authority))
  const source = sourceOf([port], true)
  expect(await sample(source)).toBe(1)
  expect(source.condition?.()).toBeUndefined()
  expect(shown).toEqual(['Bearer ours'])
})

test('the TLS settings of a kubeconfig for the API server do not apply to kubelets', async () => {
  const { port } = await aKubelet(aCertificate(host, authority))
  expect(
    await sample(sourceOf([port], true, { servername: 'kubernetes.example.com', rejectUnauthorized: false })),
  ).toBe(1)
})

test.each([
  { name: 'that is self-signed', certificate: () => aCertificate(host) },
  { name: 'of another certificate authority', certificate: () => aCertificate(host, anAuthority('somebody else')) },
  { name: 'for another address', certificate: () => aCertificate('127.0.0.2', authority) },
])(
  'a kubelet with a certificate $name never gets the token, and the error names the setting that allows it',
  async ({ certificate }) => {
    const { port, shown } = await aKubelet(certificate())
    const source = sourceOf([port], true, { rejectUnauthorized: false })
    await expect(sample(source)).rejects.toThrow()
    expect(shown).toEqual([])
    expect(source.condition?.()).toMatchObject({
      kind: 'kubelet',
      status: 'failing',
      reason: 'UnverifiedCertificate',
      message: expect.stringContaining('kubelet.verified=false') as string,
    })
    expect(await sample(sourceOf([port], false))).toBe(1)
  },
)

test('an unreadable node does not affect the others, and is counted', async () => {
  const good = await aKubelet(aCertificate(host, authority))
  const bad = await aKubelet(aCertificate(host))
  const source = sourceOf([bad.port, good.port], true)
  for (let round = 1; round <= 3; round += 1) {
    expect(source.condition?.()).toBeUndefined()
    expect(await sample(source)).toBe(1)
  }
  expect(source.condition?.()?.message).toContain('The agent cannot read 1 of 2 kubelets.')
})
