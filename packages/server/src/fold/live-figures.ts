import { versionAt } from './inventory.ts'
import { liveAssets, type LiveAssets } from './live-assets.ts'
import type { FoldState } from './fold-state.ts'

export type LiveFigures = {
  /** Seconds since 1970: the newest observation that is part of the figures. */
  observedAt: number
  nodes: number
  pods: number
  nodesByClass: Map<string, number>
  /** Volumes, balancers and the control plane, and of how many KiB or parts. */
  assetsByClass: Map<string, LiveAssets>
  agent: FoldState['agent']
}

/** What there is now, as far as the agent has reported. */
export function liveFigures(state: FoldState): LiveFigures {
  const { inventory, watermark, agent } = state
  const lives = (endedAt: number) => endedAt > watermark
  const nodes = [...inventory.nodes.values()].filter((node) => lives(node.endedAt))
  const pods = [...inventory.pods.values()].filter((pod) => lives(Math.min(pod.endedAt, pod.finishedAt)))
  const nodesByClass = new Map<string, number>()
  for (const node of nodes) {
    const key = versionAt(node.versions, watermark)?.class.key
    if (key !== undefined) nodesByClass.set(key, (nodesByClass.get(key) ?? 0) + 1)
  }
  const assetsByClass = liveAssets(state, nodes)
  return { observedAt: watermark, nodes: nodes.length, pods: pods.length, nodesByClass, assetsByClass, agent }
}
