import { hourMs } from '@plimsoll/engine'
import type { BalancerFacts, VolumeFacts } from '@plimsoll/engine/rules'
import { canonicalStorageClass, providerOf } from '@plimsoll/pricebook'
import type { BalancerRecord, VolumeRecord } from '../fold/cloud-resources.ts'
import { placeOf } from '../fold/cloud-resource-rows.ts'
import type { FoldState } from '../fold/fold-state.ts'
import { versionAt } from '../fold/inventory.ts'
import { balancerClass, volumeClass, type CloudResourceClass } from '../prices/cloud-resource-class.ts'
import { currentUsers } from './current-users.ts'
import type { History } from './history.ts'
import { pathOf } from './living-pods.ts'
import { livingNodes } from './packing-of.ts'
import { cloudResourceCost, listedCost, type Pricing } from '../prices/pricing.ts'

type CloudResource = VolumeRecord | BalancerRecord

export function volumesOf(state: FoldState, pricing: Pricing, history: History): VolumeFacts[] {
  const place = placeOf(state.place, livingNodes(state))
  return [...state.cloudResources.volumes.values()].flatMap((volume) => {
    const facts = versionAt(volume.versions, state.watermark)?.facts
    if (!facts || volume.endedAt <= state.watermark) return []
    const priced = volumeClass(place, facts)
    const cost = cloudResourceCost(pricing, priced, facts.sizeKib)
    return [
      {
        name: facts.name,
        namespace: facts.namespace,
        claim: facts.claim,
        phase: facts.phase,
        sizeKib: facts.sizeKib,
        storageClass: facts.diskType === '' ? facts.storageClass : facts.diskType,
        unmountedSince: unusedSince(state, volume, history),
        usdPerMonth: cost?.usdPerMonth ?? null,
        ...(cost ? { price: cost.price } : {}),
        reclaimPolicy: facts.reclaimPolicy ?? '',
        snapshotUsdPerMonth: snapshotCost(pricing, priced, facts.sizeKib),
        usedKib: facts.usedKib ?? null,
        cheaper: cheaperClass(pricing, priced, facts.sizeKib),
      },
    ]
  })
}

function cheaperClass(pricing: Pricing, facts: CloudResourceClass, sizeKib: number): VolumeFacts['cheaper'] {
  if (facts.asset !== 'volume') return null
  const storageClass = providerOf(facts.provider).disks?.replacedBy?.[
    canonicalStorageClass(facts.provider, facts.storageClass)
  ]
  if (storageClass === undefined) return null
  const now = cloudResourceCost(pricing, facts, sizeKib)
  const then = cloudResourceCost(pricing, { ...facts, storageClass }, sizeKib)
  return now && then && then.usdPerMonth < now.usdPerMonth ? { storageClass, ...then } : null
}

/** As the price list names them. Custom storage rates apply to volumes, not to snapshots. */
function snapshotCost(pricing: Pricing, facts: CloudResourceClass, sizeKib: number): number | null {
  if (facts.asset !== 'volume') return null
  const { provider, region } = facts
  const storageClass = providerOf(provider).disks?.snapshotClass ?? 'snapshot'
  return listedCost(pricing, { asset: 'volume', provider, region, storageClass }, sizeKib)?.usdPerMonth ?? null
}

export function balancersOf(state: FoldState, pricing: Pricing, history: History): BalancerFacts[] {
  const place = placeOf(state.place, livingNodes(state))
  return [...state.cloudResources.balancers.values()].flatMap((balancer) => {
    const facts = versionAt(balancer.versions, state.watermark)?.facts
    if (!facts || balancer.endedAt <= state.watermark) return []
    const cost = cloudResourceCost(pricing, balancerClass(place, facts))
    return [
      {
        namespace: facts.namespace,
        name: facts.name,
        type: facts.type,
        unreadySince: unusedSince(state, balancer, history),
        workloads: workloadsBehind(state, balancer),
        usdPerMonth: cost?.usdPerMonth ?? null,
        ...(cost ? { price: cost.price } : {}),
      },
    ]
  })
}

function workloadsBehind(state: FoldState, balancer: BalancerRecord): string[] {
  const pods = currentUsers(state, balancer).flatMap((uid) => state.inventory.pods.get(uid) ?? [])
  return [...new Set(pods.map(pathOf))].sort()
}

/**
 * The latest possible start of the time without a user; null while it is used. Stored hours reach back weeks. This
 * snapshot reaches back to the first report.
 */
function unusedSince(state: FoldState, cloudResource: CloudResource, { lastUses }: History): number | null {
  if (currentUsers(state, cloudResource).length > 0) return null
  const stored = lastUses.get(cloudResource.uid)
  if (stored) return (stored.lastUsedHour ? stored.lastUsedHour.getTime() + hourMs : stored.firstHour.getTime()) / 1000
  const unused = cloudResource.versions.findLastIndex(({ users }) => users.length > 0) + 1
  const from = cloudResource.versions[unused]?.from ?? state.watermark
  return Math.max(from, Math.min(state.firstSecond, state.watermark))
}
