import { apportion, type Weighted } from '../apportion.ts'
import { addCharges, NO_CHARGE, type Charge } from '../pricing/rate.ts'
import { chargeOf, totalUsd, type CostRow } from './cost-row.ts'

export type Sharing =
  | { readonly kind: 'even' }
  | { readonly kind: 'proportional' }
  /** Integer weights by receiver; an unlisted receiver gets nothing. */
  | { readonly kind: 'weighted'; readonly weights: ReadonlyMap<string, bigint> }

/**
 * Moves the cost of some rows (idle, overhead, chosen namespaces) to the others, as their component `shared`. The sum
 * never changes: without a receiver or a weight the rows stay as they are.
 *
 * Receivers have names, because costs are split among namespaces or workloads and not among rows. Within one receiver
 * the split follows the cost of its rows.
 */
export function shareCosts(
  rows: readonly CostRow[],
  isShared: (row: CostRow) => boolean,
  receiverOf: (row: CostRow) => string | undefined,
  sharing: Sharing,
): CostRow[] {
  const shared = rows.filter(isShared)
  const kept = rows.filter((row) => !isShared(row))
  const receivers = groupByReceiver(kept, receiverOf)
  const weights = weightsOf(receivers, sharing)
  if (weights.length === 0 || shared.length === 0) return [...rows]

  const whole = shared.reduce((sum, row) => addCharges(sum, chargeOf(row)), NO_CHARGE)
  const added = new Map<CostRow, Charge>()
  for (const [name, charge] of splitCharge(whole, weights)) {
    const own = receivers.get(name) ?? []
    const parts = splitCharge(charge, own.map(toWeight))
    own.forEach((row, index) => added.set(row, parts.get(String(index)) ?? NO_CHARGE))
  }
  return kept.map((row) => withShared(row, added.get(row)))
}

function groupByReceiver(rows: readonly CostRow[], receiverOf: (row: CostRow) => string | undefined) {
  const receivers = new Map<string, CostRow[]>()
  for (const row of rows) {
    const name = receiverOf(row)
    if (name === undefined) continue
    const own = receivers.get(name)
    if (own) own.push(row)
    else receivers.set(name, [row])
  }
  return receivers
}

function weightsOf(receivers: ReadonlyMap<string, readonly CostRow[]>, sharing: Sharing): Weighted[] {
  const all = [...receivers].map(([key, rows]) => {
    if (sharing.kind === 'weighted') return { key, weight: sharing.weights.get(key) ?? 0n }
    return { key, weight: sharing.kind === 'even' ? 1n : totalUsd(rows) }
  })
  return sharing.kind === 'weighted' ? all.filter(({ weight }) => weight > 0n) : all
}

const toWeight = (row: CostRow, index: number): Weighted => ({ key: String(index), weight: chargeOf(row).usd })

function splitCharge({ usd, estimatedUsd, unpriced }: Charge, among: readonly Weighted[]): Map<string, Charge> {
  const estimated = apportion(estimatedUsd, among)
  const parts = [...apportion(usd, among)].map(([key, part]): [string, Charge] => [
    key,
    { usd: part, estimatedUsd: estimated.get(key) ?? 0n, unpriced },
  ])
  return new Map(parts)
}

function withShared(row: CostRow, charge: Charge | undefined): CostRow {
  if (!charge) return row
  return { ...row, charges: { ...row.charges, shared: addCharges(row.charges.shared ?? NO_CHARGE, charge) } }
}
