import type { ControlPlaneFacts } from '@plimsoll/engine/rules'
import { canonicalProvider, longestSupported, standardSupportEnd } from '@plimsoll/pricebook'
import { placeOf } from '../fold/cloud-resource-rows.ts'
import { isControlPlane } from '../fold/control-plane.ts'
import type { FoldState } from '../fold/fold-state.ts'
import { controlPlaneClass } from '../prices/cloud-resource-class.ts'
import { livingNodes } from './packing-of.ts'
import { cloudResourceCost, round, type Pricing } from '../prices/pricing.ts'

/** Null where the version is not known, or the control plane is self-managed. */
export function controlPlaneOf(state: FoldState, pricing: Pricing): ControlPlaneFacts | null {
  const nodes = livingNodes(state)
  const place = placeOf(state.place, nodes)
  const version = state.kubernetes.at(state.watermark)
  if (version === '' || nodes.some(isControlPlane)) return null
  const costOf = (isExtended: boolean) =>
    cloudResourceCost(pricing, controlPlaneClass(place, { isSelfManaged: false, isExtended }))
  const [standard, extended] = [costOf(false), costOf(true)]
  const surcharge =
    standard && extended
      ? {
          surchargeUsdPerMonth: round(extended.usdPerMonth - standard.usdPerMonth),
          fees: { standard: standard.price, extended: extended.price },
        }
      : { surchargeUsdPerMonth: null }
  return {
    provider: canonicalProvider(place.provider),
    version,
    supportEndsAt: standardSupportEnd(place.provider, version) ?? null,
    upgrade: longestSupported(place.provider, state.watermark) ?? null,
    ...surcharge,
  }
}
