import { nodeCredits, type CreditedNodes, type StepCredit } from '@plimsoll/engine/changes'
import { sumCloudResourceCosts } from '../../ingest/index.ts'
import { loadCreditedParts, type CreditedParts } from '../../recommendations/index.ts'
import type { ClusterComparison } from './cluster-comparison.ts'
import { creditResources } from './credit-resources.ts'
import type { NodeChange } from './load-node-changes.ts'

/** What the applied steps of a cluster changed in its bill. */
export type StepCredits = {
  credits: StepCredit[]
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
  return { credits: [...nodeCredits(changed, nodes), ...ofResources], nodes, steps }
}
