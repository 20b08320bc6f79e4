import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAssets, startControlPlane, type ControlPlane } from '../../../test/control-plane.ts'
import type { Observer } from '../src/observer.ts'
import { create } from './a-cluster.ts'
import { awaitThat } from './await-that.ts'
import { observe } from './observed.ts'

const assets = findAssets()
const user = 'agent-of-test'
const group = 'rbac.authorization.k8s.io'
let plane: ControlPlane

const kinds = ['nodes', 'pods', 'namespaces', 'persistentvolumes', 'services']
const role = {
  ...{ apiVersion: `${group}/v1`, kind: 'ClusterRole', metadata: { name: 'agent' } },
  rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['list', 'watch', 'get'] }],
}
/** All permissions except for volumes, so that only one permission changes. */
const others = {
  ...role,
  metadata: { name: 'agent-others' },
  rules: [
    {
      apiGroups: [''],
      resources: kinds.filter((kind) => kind !== 'persistentvolumes'),
      verbs: ['list', 'watch', 'get'],
    },
  ],
}
const bindingOf = (name: string) => ({
  ...{ apiVersion: `${group}/v1`, kind: 'ClusterRoleBinding', metadata: { name } },
  subjects: [{ kind: 'User', name: user, apiGroup: group }],
  roleRef: { kind: 'ClusterRole', name, apiGroup: group },
})

const kubectl = (args: string[], input?: object) =>
  execFileSync(join(assets ?? '', 'kubectl'), ['--kubeconfig', plane.config, ...args], {
    encoding: 'utf8',
    ...(input ? { input: JSON.stringify(input) } : {}),
  })
const apply = (object: object) => kubectl(['apply', '--filename', '-'], object)

const aVolume = (name: string) => ({
  ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name } },
  spec: { capacity: { storage: '10Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/tmp' } },
})

const volumes = (observer: Observer) => observer.living(Math.floor(Date.now() / 1000)).volumes.map(({ name }) => name)
const conditionOf = (observer: Observer, kind: string) => observer.conditions().find((each) => each.kind === kind)

/** Watches restart every second; outside of tests every few minutes. */
function look() {
  const logged: { message: string; seconds?: number }[] = []
  const log = (_level: string, message: string, fields?: object) => void logged.push({ message, ...fields })
  return { ...observe(plane.origin, () => user, { silenceSecondsMax: 1, log }), logged }
}

describe.skipIf(assets === undefined)('permissions and outages of a real API server', () => {
  beforeAll(async () => {
    plane = await startControlPlane(assets ?? '', { tokens: [user] })
    for (const object of [role, others, bindingOf('agent'), bindingOf('agent-others')]) apply(object)
    await create(plane, aVolume('before'))
  }, 240_000)
  afterAll(() => plane.stop())

  test('a permission that is revoked and granted again needs no restart', async () => {
    const { observer, close, logged } = look()
    await observer.synced
    await awaitThat('volumes are listed', () => volumes(observer).length === 1, 60)

    kubectl(['delete', 'clusterrolebinding', 'agent'])
    const isForbidden = () => conditionOf(observer, 'persistentvolumes')?.status === 'forbidden'
    await awaitThat('the condition names the kind', isForbidden, 60)
    const isLogged = () => logged.some(({ message }) => message.endsWith('list and watch persistentvolumes (403)'))
    await awaitThat('it is logged', isLogged, 60)
    expect(conditionOf(observer, 'api_server')).toBeUndefined()
    expect(volumes(observer)).toEqual(['before'])
    await create(plane, aVolume('meanwhile'))

    apply(bindingOf('agent'))
    await awaitThat('the new volume is seen', () => volumes(observer).includes('meanwhile'), 60)
    await awaitThat('the condition is gone', () => conditionOf(observer, 'persistentvolumes') === undefined, 60)
    const messages = logged.map(({ message }) => message).filter((message) => message.includes('persistentvolumes'))
    expect(messages).toEqual([
      'the agent is not allowed to list and watch persistentvolumes (403)',
      'the agent is allowed to list and watch persistentvolumes again',
    ])
    await close()
  }, 240_000)

  test('an outage is logged once at its start and once at its end', async () => {
    const { observer, close, logged } = look()
    await observer.synced
    await plane.stopApiServer()
    await awaitThat('the outage is a condition', () => conditionOf(observer, 'api_server') !== undefined, 60)
    expect(conditionOf(observer, 'api_server')).toMatchObject({ reason: 'Unreachable' })
    expect(observer.conditions().filter(({ status }) => status === 'failing')).toHaveLength(1)
    await plane.startApiServer()
    await awaitThat('all is well again', () => observer.freshness().every(({ synced }) => synced), 120)
    await awaitThat('the outage is over', () => conditionOf(observer, 'api_server') === undefined, 60)
    const outages = logged.filter(({ message }) => message.includes('reachable'))
    expect(outages.map(({ message }) => message)).toEqual([
      'the API server is not reachable',
      'the API server is reachable again',
    ])
    expect(outages[1]?.seconds).toBeGreaterThanOrEqual(0)
    await close()
  }, 240_000)
})
