import { startSecond, type SmallWorld, type WorldCloudResource } from './small-world.ts'

/** In Frankfurt: m5.xlarge has 4 cores and 16 GiB for $0.23 an hour, c5.xlarge 4 cores and 8 GiB for $0.194. */
export const twoNodes: SmallWorld = {
  nodes: [
    { uid: 'node-0', bornAt: startSecond - 60, endedAt: Infinity },
    { uid: 'node-1', bornAt: startSecond - 60, endedAt: Infinity, instanceType: 'c5.xlarge', pool: 'compute' },
  ],
  pods: [
    aPod('web', { node: 0, millicores: 1000, gib: 4, namespace: 'shop', labels: { team: 'red' } }),
    aPod('db', { node: 1, millicores: 2000, gib: 6, namespace: 'data', labels: { team: 'blue' } }),
  ],
}

type PodFacts = { node: number; millicores: number; gib: number; namespace: string; labels: Record<string, string> }

function aPod(uid: string, { node, millicores, gib, namespace, labels }: PodFacts): SmallWorld['pods'][number] {
  const containers = [{ name: 'c0', millicores, kib: gib * 1024 * 1024 }]
  const life = { boundAt: startSecond, endedAt: Infinity, resize: undefined }
  return { uid, node, containers, useSeed: 1, namespace, labels, ...life }
}

/** A 100 GiB disk that both pods mount in the second hour, an unmounted disk, and a load balancer in front of `web`. */
export const twoNodesWithCloudResources: SmallWorld = {
  ...twoNodes,
  cloudResources: [
    aDisk(
      'shared',
      [0, 1].map((pod) => ({ pod, from: startSecond + 3600, to: Infinity })),
    ),
    aDisk('forgotten', []),
    { ...aDisk('entrance', [{ pod: 0, from: startSecond, to: Infinity }]), kind: 'balancer' },
  ],
}

function aDisk(uid: string, users: WorldCloudResource['users']): WorldCloudResource {
  const life = { bornAt: startSecond - 3600, endedAt: Infinity, resize: undefined }
  return { uid, kind: 'volume', sizeKib: 100 * 1024 * 1024, users, ...life }
}
