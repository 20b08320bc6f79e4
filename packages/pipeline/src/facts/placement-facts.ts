import type { PlacementFacts } from '@plimsoll/engine/rules'
import type { FoldState } from '../fold/fold-state.ts'
import { versionAt, type PodRecord } from '../fold/inventory.ts'
import { parseClassKey } from '../prices/node-class.ts'
import type { Rates } from './packing-of.ts'
import { nodeUsdPerHour, type Pricing } from '../prices/pricing.ts'

/** Whether pods could run on spot nodes, and how much cheaper these are. */
export function placements(
  state: FoldState,
  rates: Rates,
  pricing: Pricing,
): (pods: readonly PodRecord[]) => PlacementFacts {
  const mounting = mountingPods(state)
  const discounts = new Map<string, number | null>()
  const discountOf = (classKey: string) => {
    if (!discounts.has(classKey)) discounts.set(classKey, spotDiscount(classKey, rates, pricing))
    return discounts.get(classKey) ?? null
  }
  return (pods) => {
    const scheduling = pods.flatMap((pod) => pod.versions.at(-1)?.facts.shape.scheduling ?? [])
    const nodes = pods.flatMap(({ node }) => node?.versions.at(-1) ?? [])
    const known = nodes.flatMap((node) => discountOf(node.class.key) ?? [])
    return {
      hasVolumes: pods.some(({ uid }) => mounting.has(uid)),
      hasLocalStorage: scheduling.some((each) => each.local_storage === true),
      isPinned: scheduling.some((each) => each.do_not_disrupt === true || each.safe_to_evict === false),
      spotPods: nodes.filter(({ facts }) => facts.capacityType === 'spot').length,
      spotDiscount:
        known.length === 0 || known.length < nodes.length ? null : known.reduce((a, b) => a + b) / known.length,
    }
  }
}

function mountingPods({ cloudResources, watermark }: FoldState): Set<string> {
  const pods = new Set<string>()
  for (const { versions, endedAt } of cloudResources.volumes.values()) {
    if (endedAt > watermark) for (const uid of versionAt(versions, watermark)?.users ?? []) pods.add(uid)
  }
  return pods
}

function spotDiscount(classKey: string, rates: Rates, pricing: Pricing): number | null {
  const facts = parseClassKey(classKey)
  const now = rates.get(classKey)?.nodeUsdPerHour ?? null
  if (facts.serverless || facts.query.capacityType === 'spot' || now === null || now <= 0) return null
  const spot = nodeUsdPerHour(pricing, { ...facts, query: { ...facts.query, capacityType: 'spot' } })
  return spot === null || spot >= now ? null : 1 - spot / now
}
