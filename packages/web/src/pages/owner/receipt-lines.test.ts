import type { Explanation } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { receiptLines } from './receipt-lines.ts'

test('quantities and prices are shown per hour', () => {
  const part = {
    resource: 'cpu',
    unit: 'microcore-seconds',
    quantity: String(2e6 * 3600 * 10),
    rate: {
      id: '1',
      usd_per_unit_second: '0.000000000008679750416667',
      class: { query: { instanceType: 'm6i.4xlarge', capacityType: 'on-demand', region: 'eu-west-1' } },
    },
    exact_amount: '0.62494203',
  }
  const [line] = receiptLines({ parts: [part] } as unknown as Explanation)
  expect(line).toMatchObject({
    resource: 'CPU',
    className: 'm6i.4xlarge, on-demand, eu-west-1',
    quantity: '20 vCPU-hours',
    price: '× $0.0312 per vCPU-hour',
    exact: { quantity: '20 vCPU-hours', price: '0.0312471015000012 per vCPU-hour', usd: '0.62494203' },
  })
})

test('a missing price is shown as not priced', () => {
  const part = {
    resource: 'gpu',
    unit: 'x',
    quantity: '1',
    rate: { id: '1', usd_per_unit_second: null, class: null },
    exact_amount: '0',
  }
  expect(receiptLines({ parts: [part] } as unknown as Explanation)[0]?.price).toBe('not priced')
})
