import { nodeCredits, type CreditedNodes, type StepCredit } from '@plimsoll/engine/changes'
import { sumCloudResourceCosts } from '../../ingest/index.ts'
import { loadCreditedParts, type CreditedParts } from '../../recommendations/index.ts'
import type { ClusterComparison } from './cluster-comparison.ts'
import { creditResources } from './credit-resources.ts'
import type { NodeChange } from './load-node-changes.ts'

/** What the applied steps of a cluster changed in its bill. */
export type StepCredits = {
  credits: StepCredit[]
  /** Only nodes with a credit. */
  nodes: CreditedNodes
  steps: CreditedParts['steps']
}

/** A cluster without data in one window has one cause, and no step gets a part of it. */
export async function loadStepCredits(
  cluster: ClusterComparison,
  changed: readonly NodeChange[],
): Promise<StepCredits> {
  const { tx, clusterId, comparison, options } = cluster
  if (comparison.kind === 'single') return { credits: [], nodes: new Map(), steps: new Map() }
  const { nodes, resources, steps } = await loadCreditedParts(tx, clusterId)
  const { windows, detailFrom } = options
  // Older hours have no single resources.
  const isKept = windows.before.from >= detailFrom && windows.now.from >= detailFrom
  const costs = isKept ? await sumCloudResourceCosts(tx, clusterId, [...resources.keys()], windows) : []
  const ofResources = creditResources(costs, resources, { comparison, windows })
  const moved = changed.filter((node) => hasMoved(node, windows.now))
  const credited = keepMoved(nodes, moved)
  return { credits: [...nodeCredits(moved, credited), ...ofResources], nodes: credited, steps }
}

/** A count of the nodes of a step has the same nodes as its money. */
export const keepMoved = (nodes: CreditedNodes, moved: readonly Pick<NodeChange, 'uid'>[]): CreditedNodes => {
  const uids = new Set(moved.map(({ uid }) => uid))
  return new Map([...nodes].filter(([uid]) => uids.has(uid)))
}

/**
 * A node without data in the later window is not removed unless it ended before the end of this window. Only then the
 * removal follows the change of the step.
 */
export const hasMoved = ({ movement, endedAt }: Pick<NodeChange, 'movement' | 'endedAt'>, now: { to: Date }) =>
  movement !== 'removed' || (endedAt !== null && endedAt <= now.to)
