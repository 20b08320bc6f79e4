import { billedSize } from './allocate-serverless.ts'
import { placeOf } from './cloud-resource-rows.ts'
import { paidUntil, versionAt, type NodeRecord } from './inventory.ts'
import { liveCloudResources, type LiveCloudResources } from './live-cloud-resources.ts'
import type { FoldState } from './fold-state.ts'

export type LiveFigures = {
  /** Seconds since 1970: the newest observation in the figures. */
  observedAt: number
  nodes: number
  pods: number
  /** Total pod capacity of the nodes. */
  podsAllocatable: number
  nodesByClass: Map<string, number>
  /** Total size of serverless pods. */
  podsByClass: Map<string, { cpu: number; memory: number }>
  /** Volumes, load balancers and the control plane, with their KiB or parts. */
  cloudResourcesByClass: Map<string, LiveCloudResources>
  /** The location by its nodes, else by its registration. */
  place: FoldState['place']
  agent: FoldState['agent']
}

/** The current figures, as far as the agent has reported. */
export function liveFigures(state: FoldState): LiveFigures {
  const { inventory, watermark, agent } = state
  const lives = (endedAt: number) => endedAt > watermark
  const nodes = [...inventory.nodes.values()].filter((node) => lives(node.endedAt))
  const pods = [...inventory.pods.values()].filter((pod) => lives(Math.min(pod.endedAt, pod.finishedAt)))
  const nodesByClass = new Map<string, number>()
  let podsAllocatable = 0
  for (const node of nodes) {
    const version = versionAt(node.versions, watermark)
    if (!version) continue
    nodesByClass.set(version.class.key, (nodesByClass.get(version.class.key) ?? 0) + 1)
    podsAllocatable += version.facts.podsAllocatable
  }
  const cloudResourcesByClass = liveCloudResources(state, nodes)
  return {
    observedAt: watermark,
    nodes: nodes.length,
    pods: pods.length,
    podsAllocatable,
    nodesByClass,
    podsByClass: serverlessPods(nodes, watermark),
    cloudResourcesByClass,
    place: placeOf(state.place, nodes),
    agent,
  }
}

function serverlessPods(nodes: readonly NodeRecord[], second: number): LiveFigures['podsByClass'] {
  const byClass: LiveFigures['podsByClass'] = new Map()
  for (const node of nodes) {
    const nodeClass = versionAt(node.versions, second)?.class
    if (!nodeClass?.serverless) continue
    const sum = byClass.get(nodeClass.key) ?? { cpu: 0, memory: 0 }
    byClass.set(nodeClass.key, sum)
    for (const pod of node.pods.filter((each) => paidUntil(each) > second)) {
      const request = versionAt(pod.versions, second)?.request
      if (!request) continue
      const { cpu, memory } = billedSize(pod, request, nodeClass.serverless)
      sum.cpu += cpu
      sum.memory += memory
    }
  }
  return byClass
}
