import { expect, test } from 'vitest'
import { embeddedText, listCsv, tablesDir } from '../../test/a-book.ts'
import { findNodePrice } from '../find/find-node-price.ts'
import { findStoragePrice } from '../find/find-storage-price.ts'
import { loadPriceBook } from '../../test/load-price-book.ts'
import { parseNanoUsd } from '../money.ts'
import { compileBook } from './compile-book.ts'

const book = loadPriceBook()

test('the tables compile to exactly the embedded book', () => {
  // Compared before compression, because another brotli version may give other bytes.
  expect(compileBook(tablesDir) === embeddedText()).toBe(true)
})

test.each(['nodes_aws.csv', 'nodes_gcp.csv', 'nodes_azure.csv', 'nodes_other.csv'])(
  'every row of %s is found with exactly its prices, source and date',
  (file) => {
    const wrong = listCsv(file).filter((row) => {
      const { provider = '', region = '', instance_type: instanceType = '', spot_usd_hour: spotUsd = '' } = row
      const os = instanceType.endsWith('-WIN') ? ('windows' as const) : ('linux' as const)
      const answer = findNodePrice(book, { provider, region, instanceType, capacityType: 'on-demand', os })
      if (answer.kind !== 'listed' || answer.nanoUsdPerHour !== parseNanoUsd(row.on_demand_usd_hour ?? '')) return true
      if (answer.source !== row.source || answer.asOf !== row.as_of) return true
      if (spotUsd === '') return answer.spot.kind === 'listed'
      return answer.spot.kind !== 'listed' || answer.spot.nanoUsdPerHour !== parseNanoUsd(spotUsd)
    })
    expect(wrong).toEqual([])
  },
)

test('every row of the local zones is found', () => {
  for (const row of listCsv('nodes_aws_local_zones.csv')) {
    const { region = '', zone_group: zone = '', instance_type: instanceType = '' } = row
    const query = { provider: 'aws', region, zone, instanceType, capacityType: 'on-demand', os: 'linux' } as const
    expect(findNodePrice(book, query)).toMatchObject({
      kind: 'listed',
      nanoUsdPerHour: parseNanoUsd(row.on_demand_usd_hour ?? ''),
    })
  }
})

test('every row of storage.csv is found with exactly its price', () => {
  for (const row of listCsv('storage.csv')) {
    const { provider = '', region = '', storage_class: storageClass = '', tier_gib: tierGib } = row
    const price = findStoragePrice(book, {
      provider,
      region,
      storageClass,
      sizeGib: Number(tierGib === '' ? 1 : tierGib),
    })
    if (price.kind === 'unpriced') throw new Error(`${provider} ${region} ${storageClass} has no price`)
    const listed = [row.usd_tier_month, row.usd_gib_month, row.usd_iops_month, row.usd_mibps_month].find(
      (usd) => usd !== '',
    )
    expect(price.billing.nanoUsd).toBe(parseNanoUsd(listed ?? ''))
    expect(price.kind).toBe(row.quality === 'list' ? 'listed' : 'estimated')
  }
})
