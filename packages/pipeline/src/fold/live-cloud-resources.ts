import { PARTS_PER_WHOLE } from '@plimsoll/engine'
import {
  cloudResourceClassKey,
  balancerClass,
  volumeClass,
  type CloudResourceClass,
  type CloudResourceKind,
} from '../prices/cloud-resource-class.ts'
import { placeOf } from './cloud-resource-rows.ts'
import { controlPlaneNow } from './control-plane.ts'
import type { FoldState } from './fold-state.ts'
import { versionAt, type NodeRecord } from './inventory.ts'

export type LiveCloudResources = { kind: CloudResourceKind; assets: number; units: bigint }

/** Current volumes, load balancers and the control plane, by class. */
export function liveCloudResources(
  { cloudResources, watermark, place: reported, kubernetes }: FoldState,
  nodes: readonly NodeRecord[],
) {
  const byClass = new Map<string, LiveCloudResources>()
  const add = (facts: CloudResourceClass, units: bigint) => {
    const key = cloudResourceClassKey(facts)
    const before = byClass.get(key) ?? { kind: facts.asset, assets: 0, units: 0n }
    byClass.set(key, { ...before, assets: before.assets + 1, units: before.units + units })
  }
  const place = placeOf(reported, nodes)
  for (const { versions, endedAt } of cloudResources.volumes.values()) {
    const facts = versionAt(versions, watermark)?.facts
    if (facts && endedAt > watermark) add(volumeClass(place, facts), BigInt(facts.sizeKib))
  }
  for (const { versions, endedAt } of cloudResources.balancers.values()) {
    const facts = versionAt(versions, watermark)?.facts
    if (facts && endedAt > watermark) add(balancerClass(place, facts), BigInt(PARTS_PER_WHOLE))
  }
  const controlPlane = controlPlaneNow({ place, nodes, versions: kubernetes }, watermark)
  if (controlPlane) add(controlPlane, BigInt(PARTS_PER_WHOLE))
  return byClass
}
