export { aNodeClass } from './a-node-class.ts'
export { watchingAgent } from './a-snapshot.ts'
export { mixedWorld } from './mixed-world.ts'
export {
  agent,
  batchesOf,
  type BatchPlan,
  endSecond,
  minutes,
  nodeVersion,
  podVersion,
  type SmallWorld,
  smallWorld,
  smallWorldWithCloudResources,
  startHour,
  startSecond,
  type WorldCloudResource,
  type WorldNode,
  type WorldPod,
} from './small-world.ts'
export { twoNodes, twoNodesWithCloudResources } from './two-nodes.ts'
