import type { PriceOverride } from '@plimsoll/contract'
import { rateDollars } from '../../../format/money.ts'
import { providerName } from '../../../format/labels.ts'

/** The override in one line. */
export function overrideText(row: PriceOverride): string {
  if (row.kind === 'discount') return `${row.percent} % off list prices of ${providerName(row.provider ?? '')}`
  return row.kind === 'node_price' ? nodeText(row) : rateText(row)
}

function nodeText(row: PriceOverride): string {
  const place = [row.provider === null ? null : providerName(row.provider), row.region]
  const which = [row.capacity_type, row.os === 'windows' ? 'Windows' : null, ...place].filter((each) => each !== null)
  const price = `${row.instance_type} at ${rateDollars(row.usd_per_hour ?? 0)}/h`
  return which.length === 0 ? price : `${price} (${which.join(', ')})`
}

function rateText(row: PriceOverride): string {
  const rates: [usd: number | null, of: string][] = [
    [row.usd_per_vcpu_month, 'vCPU'],
    [row.usd_per_gib_month, 'GiB memory'],
    [row.usd_per_gpu_month, 'GPU'],
    [row.usd_per_storage_gib_month, 'GiB storage'],
  ]
  const set = rates.flatMap(([usd, of]) => (usd === null ? [] : `$${usd}/${of}`))
  return `custom rates per month: ${set.join(', ')}`
}
