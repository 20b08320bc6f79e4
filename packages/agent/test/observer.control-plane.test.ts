import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findAssets, startControlPlane, type ControlPlane } from '../../../test/control-plane.ts'
import { aDeployment, aNode, aPod, aReplicaSet, create } from './a-cluster.ts'
import { awaitThat } from './await-that.ts'
import { observe } from './observed.ts'

const assets = findAssets()
let plane: ControlPlane

describe.skipIf(assets === undefined)('against a real API server', () => {
  beforeAll(async () => {
    plane = await startControlPlane(assets ?? '', { tokens: ['may-some', 'may-nothing'] })
    for (const namespace of ['shop', 'churn']) {
      await plane.call('POST', '/api/v1/namespaces', {
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace, labels: { stage: 'production' } },
      })
    }
  }, 180_000)
  afterAll(() => plane.stop())

  test('sees exactly what there is, with its owners', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, index) => create(plane, aNode(`node-${index}`))))
    const deployment = await create(plane, aDeployment('shop', 'web'))
    const replicaSet = await create(plane, aReplicaSet('shop', 'web-5d4f8c7b9', deployment))
    await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        create(plane, aPod('shop', `web-5d4f8c7b9-${index}`, { node: `node-${index % 50}`, owner: replicaSet })),
      ),
    )
    const { observer, close } = observe(plane.origin, () => 'for-tests')
    await observer.synced
    const living = observer.living(Math.floor(Date.now() / 1000))
    expect(living.nodes.map(({ name }) => name).sort()).toEqual(
      Array.from({ length: 50 }, (_, index) => `node-${index}`).sort(),
    )
    expect(living.nodes[0]).toMatchObject({
      instanceType: 'm5.xlarge',
      region: 'eu-central-1',
      pool: 'general',
      cpuCapacityMillicores: 4000,
      memoryAllocatableKib: 15 * 1024 ** 2,
    })
    expect(living.pods).toHaveLength(300)
    const nodeOf = new Map(living.nodes.map(({ ref, name }) => [ref, name]))
    for (const pod of living.pods) {
      const index = Number(pod.name.split('-').at(-1))
      expect(pod).toMatchObject({ namespace: 'shop', workloadKind: 'Deployment', workloadName: 'web' })
      expect(nodeOf.get(pod.nodeRef)).toBe(`node-${index % 50}`)
    }
    expect(living.pods[0]?.shape).toMatchObject({
      containers: [{ name: 'app', kind: 'app', cpu_request: 250, memory_request: 65_536 }],
      template: { api_version: 'apps/v1', containers: [{ name: 'app', requests: ['cpu', 'memory'] }] },
    })
    expect(new Set(living.pods.map(({ shape }) => shape)).size).toBe(1)
    expect(living.namespaces.find(({ name }) => name === 'shop')?.labels).toMatchObject({ stage: 'production' })
    expect(living.objects.find(({ kind }) => kind === 'workload')).toMatchObject({
      name: 'web',
      spec: { workload_kind: 'Deployment', replicas: 2, labels: { team: 'shop' } },
    })
    expect(observer.conditions().filter(({ kind }) => kind !== 'usage')).toEqual([])
    expect(observer.facts()).toMatchObject({ kubernetes_version: expect.stringMatching(/^v1\./) as string })
    await close()
  })

  test('tells what is deleted and made again under the same name as two', async () => {
    await create(plane, aNode('churn-node'))
    const first = await create(plane, aPod('churn', 'solo', { node: 'churn-node' }))
    const { observer, close } = observe(plane.origin, () => 'for-tests')
    await observer.synced
    const before = observer.living(Math.floor(Date.now() / 1000)).pods.find(({ name }) => name === 'solo')
    expect(before).toMatchObject({ uid: first.metadata.uid, workloadKind: 'Pod', workloadName: 'solo' })
    await plane.call('DELETE', '/api/v1/namespaces/churn/pods/solo', { gracePeriodSeconds: 0 })
    const second = await create(plane, aPod('churn', 'solo', { node: 'churn-node' }))
    await awaitThat('the second is there', () =>
      observer.living(Math.floor(Date.now() / 1000)).pods.some(({ uid }) => uid === second.metadata.uid),
    )
    const facts = observer.takeMinute(1)
    expect(facts.ends.map(({ ref }) => ref)).toContain(before?.ref)
    const told = facts.pods.filter(({ name }) => name === 'solo')
    expect(new Set(told.map(({ uid }) => uid))).toEqual(new Set([second.metadata.uid]))
    expect(told[0]?.ref).not.toBe(before?.ref)
    await close()
  })
})
