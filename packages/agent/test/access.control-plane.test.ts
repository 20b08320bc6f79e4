import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAssets, startControlPlane, type ControlPlane } from '../../../test/control-plane.ts'
import { inClusterAccess, kubeconfigAccess, type ClusterAccess } from '../src/kubernetes/cluster-access.ts'
import { clusterUid, kubernetesVersion, servedVersions } from '../src/kubernetes/discovery.ts'
import { httpClient } from '../src/kubernetes/http-client.ts'

const assets = findAssets()
let plane: ControlPlane
let directory: string
const { signal } = new AbortController()

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
    plane = await startControlPlane(assets ?? '')
    directory = mkdtempSync(join(tmpdir(), 'plimsoll-access-'))
  }, 180_000)
  afterAll(async () => {
    await plane.stop()
    rmSync(directory, { recursive: true, force: true })
  })

  test('from outside, with what kubectl uses', async () => {
    const access = await kubeconfigAccess(plane.config)
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

  test('not, when it shows a certificate that nobody vouches for', async () => {
    const access = { origin: plane.origin, credentials: async () => ({ headers: {}, tls: {} }) }
    await expect(versionSeenWith(access)).rejects.toThrow(/certificate/)
  })
})
