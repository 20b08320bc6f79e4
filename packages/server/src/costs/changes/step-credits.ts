import { decimal } from '@plimsoll/engine'
import { nodeCredits, type CreditedNodes, type StepCredit } from '@plimsoll/engine/changes'
import { sumCloudResourceCosts } from '../../ingest/index.ts'
import { loadCreditedParts, type CreditedParts } from '../../recommendations/index.ts'
import type { ClusterComparison } from './cluster-comparison.ts'
import type { NodeChange } from './load-node-changes.ts'

/** What the applied steps of a cluster changed in its bill. */
export type StepCredits = {
  credits: StepCredit[]
  nodes: CreditedNodes
  steps: CreditedParts['steps']
}

const parts = { volume: 'storage', balancer: 'load_balancers', control_plane: 'fees' } as const

/** A cluster without data in one window has one cause, and no step gets a part of it. */
export async function loadStepCredits(
  cluster: ClusterComparison,
  changed: readonly NodeChange[],
): Promise<StepCredits> {
  const { tx, clusterId, comparison, options } = cluster
  if (comparison.kind === 'single') return { credits: [], nodes: new Map(), steps: new Map() }
  const { nodes, resources, steps } = await loadCreditedParts(tx, clusterId)
  const costs = await sumCloudResourceCosts(tx, clusterId, [...resources.keys()], options.windows)
  const ofResources = costs.flatMap(({ uid, kind, before, now }): StepCredit[] => {
    const stepId = resources.get(uid)
    const usd = decimal(now) - decimal(before)
    return stepId === undefined || usd === 0n ? [] : [{ stepId, part: parts[kind], usd }]
  })
  return { credits: [...nodeCredits(changed, nodes), ...ofResources], nodes, steps }
}
