import type { ExplainedResource, Explanation, Figure } from '@plimsoll/contract'
import { formatDecimal, type Decimal } from '@plimsoll/engine'
import { usdFor } from '@plimsoll/engine/pricing'
import {
  sumCloudResourceHours,
  type CloudResourceHour,
  type CloudResourceOwners,
} from './queries/cloud-resource-receipts.ts'
import type { CoveredHours } from '../ingest/index.ts'
import type { Db } from '../platform/db/database.ts'
import { cloudResourceRateOf, loadRates, type RateRow } from '../prices/index.ts'
import type { CloudResourceOwner } from '@plimsoll/pipeline/fold'
import type { CloudResourceKind } from '@plimsoll/pipeline/prices'
import { descending, OTHER } from './idle-costs.ts'
import { isTenant, type Receipt } from './receipt.ts'

const cloudResourcesShownMax = 100

const kinds = { storage: 'volume', load_balancer: 'balancer', overhead: 'control_plane' } as const

const units: Record<CloudResourceKind, string> = {
  volume: 'KiB-seconds',
  balancer: 'load balancer part-seconds',
  control_plane: 'control plane part-seconds',
}

type CloudResourceResource = keyof typeof kinds

const all: readonly CloudResourceResource[] = ['storage', 'load_balancer', 'overhead']

const unusedOf: Partial<
  Record<Figure, { owner: Exclude<CloudResourceOwner, 'workload'>; resource: CloudResourceResource }>
> = {
  unmounted: { owner: 'unmounted', resource: 'storage' },
  unattached: { owner: 'unattached', resource: 'load_balancer' },
}

/** Nodes have none of these; a namespace or a workload has its part of volumes and load balancers. */
export function cloudResourceResourcesOf({ figure, of }: Pick<Receipt, 'figure' | 'of'>): readonly ExplainedResource[] {
  const unused = unusedOf[figure]
  if (of.kind === 'cluster' && unused) return [unused.resource]
  if (figure !== 'total' || of.kind === 'node') return []
  return isTenant(of) ? ['storage', 'load_balancer'] : all
}

function ownersOf({ figure, of }: Receipt): CloudResourceOwners {
  if (of.kind === 'namespace' || of.kind === 'workload') return of
  const unused = unusedOf[figure]
  return unused ? { kind: 'unowned', as: unused.owner } : { kind: 'any' }
}

export type CloudResourceReceipt = {
  total: Decimal
  formula: string[]
  parts: Explanation['parts']
  hours: ReadonlyMap<string, Decimal>
  assets: Explanation['assets']
}

export async function loadCloudResourceReceipt(
  tx: Db,
  cover: CoveredHours,
  receipt: Receipt,
): Promise<CloudResourceReceipt> {
  const asked = cloudResourceResourcesOf(receipt).filter((each) =>
    receipt.resources.includes(each),
  ) as CloudResourceResource[]
  if (asked.length === 0) return { total: 0n, formula: [], parts: [], hours: new Map(), assets: [] }
  const rows = await sumCloudResourceHours(tx, cover, {
    kinds: asked.map((resource) => kinds[resource]),
    owners: ownersOf(receipt),
  })
  const rates = await loadRates(
    tx,
    rows.map(({ rateId }) => rateId),
  )
  const usdOf = (row: CloudResourceHour) => usdFor(BigInt(row.unitSeconds), cloudResourceRateOf(rateIn(rates, row)))
  return {
    total: rows.reduce((sum, row) => sum + usdOf(row), 0n),
    formula: ['unit_seconds'],
    parts: asked.flatMap((resource) => partsOf(rows, resource, rates)),
    hours: sumBy(rows, ({ hour }) => hour.toISOString(), usdOf),
    assets: cloudResourcesOf(rows, usdOf),
  }
}

function rateIn(rates: ReadonlyMap<string, RateRow>, { rateId }: CloudResourceHour): RateRow {
  const rate = rates.get(rateId)
  if (!rate) throw new Error(`the rate ${rateId} is missing`)
  return rate
}

function partsOf(
  rows: readonly CloudResourceHour[],
  resource: CloudResourceResource,
  rates: ReadonlyMap<string, RateRow>,
): Explanation['parts'] {
  return [...rates.values()].flatMap((rate) => {
    const own = rows.filter((row) => row.rateId === rate.rate_id && row.kind === kinds[resource])
    const quantity = own.reduce((sum, row) => sum + BigInt(row.unitSeconds), 0n)
    if (quantity === 0n) return []
    return [
      {
        resource,
        unit: units[kinds[resource]],
        terms: { unit_seconds: quantity.toString() },
        quantity: quantity.toString(),
        rate: {
          id: rate.rate_id,
          usd_per_unit_second: rate.asset_usd_per_unit_second,
          node_usd_per_hour: null,
          valid_from: rate.valid_from.toISOString(),
          estimated: rate.estimated,
          class: JSON.parse(rate.class_key) as unknown,
          evidence: rate.evidence,
        },
        exact_amount: formatDecimal(usdFor(quantity, cloudResourceRateOf(rate))),
      },
    ]
  })
}

function cloudResourcesOf(
  rows: readonly CloudResourceHour[],
  usdOf: (row: CloudResourceHour) => Decimal,
): Explanation['assets'] {
  const facts = new Map(rows.map((row) => [row.cloudResourceUid, row]))
  const amounts = [...sumBy(rows, ({ cloudResourceUid }) => cloudResourceUid, usdOf)].sort(([, a], [, b]) =>
    descending(a, b),
  )
  const rest = amounts.slice(cloudResourcesShownMax)
  const left = rest.reduce((sum, [, usd]) => sum + usd, 0n)
  const shown = amounts.slice(0, cloudResourcesShownMax).map(([uid, usd]) => {
    const { kind = '', name = uid, namespace = '' } = facts.get(uid) ?? {}
    return { asset_uid: uid, kind, name: name ?? uid, namespace: namespace ?? '', exact_amount: formatDecimal(usd) }
  })
  const other = { asset_uid: OTHER, kind: OTHER, name: OTHER, namespace: '', exact_amount: formatDecimal(left) }
  return rest.length === 0 ? shown : [...shown, other]
}

function sumBy(
  rows: readonly CloudResourceHour[],
  keyOf: (row: CloudResourceHour) => string,
  usdOf: (row: CloudResourceHour) => Decimal,
) {
  const sums = new Map<string, Decimal>()
  for (const row of rows) sums.set(keyOf(row), (sums.get(keyOf(row)) ?? 0n) + usdOf(row))
  return sums
}
