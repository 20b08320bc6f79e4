import type { ClusterFacts } from '@plimsoll/engine/rules'
import type { FoldState } from '../fold/fold-state.ts'

/**
 * The maximum of each resource over all nodes, not necessarily of one node. Null where unknown: serverless nodes have
 * no size.
 */
export function largestNodeOf({
  inventory,
  watermark,
}: Pick<FoldState, 'inventory' | 'watermark'>): ClusterFacts['largestNode'] {
  const largest = { cpuMillicores: 0, memoryKib: 0 }
  for (const { endedAt, versions } of inventory.nodes.values()) {
    const facts = versions.at(-1)?.facts
    if (!facts || endedAt <= watermark) continue
    largest.cpuMillicores = Math.max(largest.cpuMillicores, facts.cpuAllocatableMillicores)
    largest.memoryKib = Math.max(largest.memoryKib, facts.memoryAllocatableKib)
  }
  return largest.cpuMillicores > 0 && largest.memoryKib > 0 ? largest : null
}
