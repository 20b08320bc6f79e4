import { HOURS_PER_MONTH } from '@plimsoll/engine'
import type { AlertCondition } from '../alerts/index.ts'
import type { PriceChange } from '../prices/index.ts'

type Repriced = { clusterId: string; name: string; change: PriceChange; percentMax: number; now: Date }

/** Undefined: the prices changed the run rate by at most this share. */
export function priceCondition({ clusterId, name, change, percentMax, now }: Repriced): AlertCondition | undefined {
  const { before, after } = change
  if (before <= 0) return undefined
  const percent = (after / before - 1) * 100
  if (Math.abs(percent) <= percentMax) return undefined
  const signed = `${percent > 0 ? '+' : '−'}${Math.abs(percent).toFixed(1)} %`
  return {
    entity: clusterId,
    // Each change of prices is a separate alert.
    period: now.toISOString(),
    isTrue: true,
    clusterId,
    namespace: null,
    content: {
      severity: 'info',
      title: `New prices change the run rate of cluster ${name} by ${signed}`,
      facts: [
        { label: 'Cluster', value: name },
        { label: 'Run rate at the old prices', value: perMonth(before) },
        { label: 'Run rate at the new prices', value: perMonth(after) },
      ],
      money: { label: 'Change', amount: (after - before) * HOURS_PER_MONTH, currency: 'USD', per: 'month' },
      links: [{ label: 'Open the prices', url: '/settings/prices' }],
    },
  }
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })
const perMonth = (usdPerHour: number) => `${dollars.format(usdPerHour * HOURS_PER_MONTH)}/month`
