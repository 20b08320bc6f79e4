import type fc from 'fast-check'
import { smallWorldWithCloudResources, type SmallWorld } from './small-world.ts'

/** Worlds of several namespaces, labels, pools and prices, with volumes and load balancers. */
export const mixedWorld: fc.Arbitrary<SmallWorld> = smallWorldWithCloudResources.map(({ nodes, pods, ...others }) => ({
  ...others,
  nodes: nodes.map((node, index) => ({
    ...node,
    ...(index === 1 ? { instanceType: 'c5.xlarge', pool: 'compute' } : {}),
    ...(index === 2 ? { instanceType: 'r5.large', pool: 'memory' } : {}),
  })),
  pods: pods.map((pod, index) => ({
    ...pod,
    namespace: ['shop', 'data', 'ops'][index % 3] ?? 'shop',
    labels: index % 4 === 0 ? {} : { team: index % 2 === 0 ? 'red' : 'blue' },
  })),
}))
