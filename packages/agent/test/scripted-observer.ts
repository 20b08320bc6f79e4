import type { PodVersion } from '@plimsoll/contract'
import { noFacts, type Living } from '../src/facts.ts'
import type { Observer } from '../src/observer.ts'

export const CLUSTER_UID = '5b0e7a86-5f0c-4a5e-9a63-0f6f6a1c9d11'

/** A full hour, for round numbers. */
export const START = 500_000 * 3600

const shape = { containers: [{ name: 'app', kind: 'app' as const, cpu_request: 500, memory_request: 524_288 }] }

const pod = (ref: number, name: string): PodVersion => ({
  ref,
  uid: `pod-${ref}`,
  from: START - 7200,
  name,
  namespace: 'shop',
  nodeRef: 1,
  boundAt: START - 7200,
  phase: 'running',
  shape,
  workloadKind: 'Deployment',
  workloadName: 'web',
  labels: { app: 'web' },
})

/** One node of four cores with two pods; one pod uses half of its request. */
const living: Living = {
  namespaces: [{ ref: 4, uid: 'namespace-4', from: START - 7200, name: 'shop', labels: {} }],
  nodes: [
    {
      ref: 1,
      uid: 'node-1',
      from: START - 7200,
      name: 'node-1',
      createdAt: START - 7200,
      providerId: 'aws:///eu-west-1a/i-0123456789',
      instanceType: 'm6i.xlarge',
      region: 'eu-west-1',
      zone: 'eu-west-1a',
      capacityType: 'on-demand',
      os: 'linux',
      arch: 'amd64',
      pool: 'general',
      gpuProduct: '',
      gpuResource: '',
      gpuCapacity: 0,
      gpuReplicas: 1,
      cpuCapacityMillicores: 4000,
      cpuAllocatableMillicores: 3920,
      memoryCapacityKib: 16_777_216,
      memoryAllocatableKib: 15_728_640,
      podsAllocatable: 58,
      labels: {},
    },
  ],
  pods: [pod(2, 'web-a'), pod(3, 'web-b')],
  volumes: [],
  balancers: [],
  objects: [],
}

/** A constant cluster, so that the result can be compared. */
export function scriptedObserver(): Observer & { taken: number[] } {
  const taken: number[] = []
  return {
    taken,
    synced: Promise.resolve(),
    facts: () => ({ version: '0.1.0', kubernetes_version: 'v1.33.0', usage_source: 'kubelet' }),
    conditions: () => [],
    clusterUid: () => Promise.resolve(CLUSTER_UID),
    living: () => living,
    takeMinute(minute) {
      taken.push(minute)
      const sample = { cpuAboveTenths: 0, memoryMeanKib: 262_144, memoryAboveKib: 0, container: 0 }
      const samples = [2, 3].map((podRef) => ({ ...sample, podRef, cpuMeanTenths: 2500 + (minute % 100) }))
      return { ...noFacts(minute), usage: [{ nodeRef: 1, samples }] }
    },
    freshness: () => [{ kind: 'pods', lastEventAt: 0, synced: true }],
    stop: () => Promise.resolve(),
  }
}
