import { chargeFor } from './charge-for.ts'
import { type Rate } from '../pricing/rate.ts'
import { secondsOf, type TimeSpan } from '../time.ts'
import { PARTS_PER_WHOLE } from '../units.ts'
import type { CostRow, Owner } from '../allocation/cost-row.ts'
import type { CloudResourceShares } from '../allocation/share-cloud-resource.ts'

/** The cost of a volume or load balancer: its users, and a separate line for unused time. */
export function costCloudResource(
  shares: CloudResourceShares,
  rate: Rate,
  component: 'storage' | 'loadBalancer',
  ownerOf: (key: string) => Owner,
): CostRow[] {
  const kind = component === 'storage' ? 'unmounted' : 'unattached'
  const rows: CostRow[] = [...shares.byUser].map(([key, unitSeconds]) => ({
    owner: ownerOf(key),
    charges: { [component]: chargeFor(unitSeconds, rate) },
  }))
  if (shares.unused === 0n) return rows
  return [...rows, { owner: { kind }, charges: { [component]: chargeFor(shares.unused, rate) } }]
}

/** The control plane, NAT and other cluster-wide services. */
export function costOverhead(life: TimeSpan, rate: Rate): CostRow {
  const partSeconds = BigInt(PARTS_PER_WHOLE) * BigInt(secondsOf(life))
  return { owner: { kind: 'overhead' }, charges: { overhead: chargeFor(partSeconds, rate) } }
}
