import type { CloudResourceUnpriced } from '@plimsoll/contract'
import { roundToNumber, type Decimal } from '@plimsoll/engine'
import { usdFor } from '@plimsoll/engine/pricing'
import type { Cover } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import { sumCloudResources, type CloudResourceTotals } from './queries/quantities.ts'
import { cloudResourceRateOf, loadRates } from '../prices/index.ts'
import type { CloudResourceKind } from '@plimsoll/pipeline/prices'

export type CloudResourceFigure = {
  usd: Decimal
  estimatedUsd: Decimal
  unitSeconds: bigint
  unpricedUnitSeconds: bigint
}

/** The cost of volumes, load balancers and the control plane in a window. */
export type CloudResourceFigures = {
  total: Decimal
  byKind: Readonly<Record<CloudResourceKind, CloudResourceFigure>>
  /** Costs without an owner have the names `__unmounted__`, `__unattached__` and `__overhead__`. */
  byNamespace: ReadonlyMap<string, Decimal>
}

const nothing: CloudResourceFigure = { usd: 0n, estimatedUsd: 0n, unitSeconds: 0n, unpricedUnitSeconds: 0n }

export async function loadCloudResourceFigures(tx: Db, cover: Cover): Promise<CloudResourceFigures> {
  const totals = await sumCloudResources(tx, cover)
  const rates = await loadRates(
    tx,
    totals.map(({ rate_id: id }) => id),
  )
  const byKind = { volume: nothing, balancer: nothing, control_plane: nothing }
  const byNamespace = new Map<string, Decimal>()
  for (const row of totals) {
    const rate = rates.get(row.rate_id)
    if (!rate) throw new Error(`the rate ${row.rate_id} is missing`)
    const unitSeconds = BigInt(row.unit_seconds)
    const price = cloudResourceRateOf(rate)
    const usd = usdFor(unitSeconds, price)
    byKind[row.kind] = add(byKind[row.kind], {
      usd,
      estimatedUsd: price.kind === 'priced' && price.estimated ? usd : 0n,
      unitSeconds,
      unpricedUnitSeconds: price.kind === 'unpriced' ? unitSeconds : 0n,
    })
    byNamespace.set(nameOf(row), (byNamespace.get(nameOf(row)) ?? 0n) + usd)
  }
  const total = Object.values(byKind).reduce((sum, { usd }) => sum + usd, 0n)
  return { total, byKind, byNamespace }
}

export const nameOf = ({ owner, namespace }: Pick<CloudResourceTotals, 'owner' | 'namespace'>) =>
  owner === 'workload' ? namespace : `__${owner}__`

const add = (a: CloudResourceFigure, b: CloudResourceFigure): CloudResourceFigure => ({
  usd: a.usd + b.usd,
  estimatedUsd: a.estimatedUsd + b.estimatedUsd,
  unitSeconds: a.unitSeconds + b.unitSeconds,
  unpricedUnitSeconds: a.unpricedUnitSeconds + b.unpricedUnitSeconds,
})

/** Null if resources exist and none of them has a price, which does not mean free. */
export const presentCloudResourceCost = ({
  usd,
  unitSeconds,
  unpricedUnitSeconds,
}: CloudResourceFigure): number | null =>
  unitSeconds > 0n && unpricedUnitSeconds === unitSeconds ? null : roundToNumber(usd)

export const presentCloudResourceUnpriced = ({
  unitSeconds,
  unpricedUnitSeconds,
}: CloudResourceFigure): CloudResourceUnpriced => ({
  unit_seconds: unpricedUnitSeconds.toString(),
  fraction: unitSeconds === 0n ? 0 : Number(unpricedUnitSeconds) / Number(unitSeconds),
})
