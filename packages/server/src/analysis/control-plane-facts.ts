import { HOURS_PER_MONTH, type ControlPlaneFacts } from '@plimsoll/engine'
import { canonicalProvider, findControlPlaneFee, nanoPerUsd } from '@plimsoll/pricebook'
import { isControlPlane, placeOf } from '../fold/asset-rows.ts'
import type { FoldState } from '../fold/fold-state.ts'
import { livingNodes } from './packing-of.ts'
import type { Pricing } from './pricing.ts'

/** Amazon EKS: the day on which a version leaves standard support, by the release calendar of the provider. */
const standardSupportEnds: Readonly<Record<string, string>> = {
  '1.23': '2023-10-11',
  '1.24': '2024-01-31',
  '1.25': '2024-05-01',
  '1.26': '2024-06-11',
  '1.27': '2024-07-24',
  '1.28': '2024-11-26',
  '1.29': '2025-03-23',
  '1.30': '2025-07-23',
  '1.31': '2025-11-26',
  '1.32': '2026-03-23',
  '1.33': '2026-07-29',
  '1.34': '2026-12-02',
  '1.35': '2027-03-27',
}

/** Null where the provider is not known, or the control plane is one's own. Only EKS charges for old versions by itself. */
export function controlPlaneOf(state: FoldState, { book }: Pricing): ControlPlaneFacts | null {
  const nodes = livingNodes(state)
  const provider = canonicalProvider(placeOf(state.place, nodes).provider)
  const version = /^v?(\d+\.\d+)/.exec(state.agent?.kubernetes_version ?? '')?.[1] ?? ''
  if (version === '' || nodes.some(isControlPlane)) return null
  const ends = provider === 'aws' ? standardSupportEnds[version] : undefined
  const fee = (tier: string) => {
    const found = findControlPlaneFee(book, { provider, tier })
    return found.kind === 'unpriced' ? undefined : (found.nanoUsdPerHour / nanoPerUsd) * HOURS_PER_MONTH
  }
  const [standard, extended] = [fee('standard-support'), fee('extended-support')]
  return {
    provider,
    version,
    supportEndsAt: ends === undefined ? null : Date.parse(`${ends}T00:00:00Z`) / 1000,
    surchargeUsdPerMonth:
      provider !== 'aws' || standard === undefined || extended === undefined ? null : extended - standard,
  }
}
