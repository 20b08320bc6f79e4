import { expect, test } from 'vitest'
import { anIncident } from '../../../test/an-incident.ts'
import { announcedPrices } from './announced-prices.ts'

const fleet = (first: bigint, second: bigint) =>
  anIncident({
    id: 'fleet',
    part: 'installation',
    kind: 'price',
    detail: 'm5',
    shares: new Map([
      ['installation', first + second],
      ['cls_1', first],
      ['cls_2', second],
    ]),
  })
const aPrice = (part: string, detail = 'm5') => anIncident({ id: part, part, kind: 'price', detail })

test('new prices of one cluster announce a price of all clusters only if the cluster has most of it', () => {
  const repriced = new Set(['cls_1'])
  expect([...announcedPrices([fleet(60n, 40n)], repriced)]).toEqual(['fleet'])
  expect([...announcedPrices([fleet(59n, 41n)], repriced)]).toEqual([])
  expect([...announcedPrices([fleet(59n, 41n)], new Set(['cls_1', 'cls_2']))]).toEqual(['fleet'])
})

test('a price of another cluster or of another class is not announced', () => {
  const all = [aPrice('cls_1'), aPrice('cls_2'), aPrice('team:red'), aPrice('team:blue', 'm6')]
  expect([...announcedPrices(all, new Set(['cls_1']))]).toEqual(['cls_1', 'team:red'])
  expect([...announcedPrices([anIncident({ part: 'cls_1' })], new Set(['cls_1']))]).toEqual([])
})
