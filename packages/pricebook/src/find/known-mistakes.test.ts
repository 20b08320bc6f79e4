import { describe, expect, test } from 'vitest'
import { listCsv } from '../../test/a-book.ts'
import { findNodePrice } from './find-node-price.ts'
import { listNodeTypes, type NodeType } from './list-node-types.ts'
import { loadPriceBook } from '../../test/load-price-book.ts'
import { parseNanoUsd } from '../money.ts'
import { findReferenceRates } from './reference-rates.ts'

/** Known errors of public price tables. The tables here are corrected; a refresh must not bring the errors back. */

const book = loadPriceBook()

function listedNanoUsd(provider: string, region: string, instanceType: string): number {
  const price = findNodePrice(book, { provider, region, instanceType, capacityType: 'on-demand', os: 'linux' })
  if (price.kind !== 'listed') throw new Error(`${provider} ${region} ${instanceType} is not listed`)
  return price.nanoUsdPerHour
}

function typesByRegion(provider: string): [string, Map<string, NodeType>][] {
  const [block] = book.nodes.get(provider) ?? []
  return [...(block?.regions.keys() ?? [])].map((region) => [
    region,
    new Map(listNodeTypes(book, { provider, region }).map((type) => [type.instanceType, type])),
  ])
}

test('every price that was compared with another source has the selected value', () => {
  for (const { provider = '', region = '', instance_type: type = '', book_usd_hour: usd = '' } of listCsv(
    'crosscheck.csv',
  )) {
    expect(listedNanoUsd(provider, region, type)).toBe(parseNanoUsd(usd))
  }
})

describe('Azure: Windows "Cloud Services" meters instead of Linux', () => {
  test.each([
    ['eastus', 'Standard_E8as_v5', '0.452'],
    ['westus2', 'Standard_D4ads_v5', '0.206'],
    ['uksouth', 'Standard_D4as_v5', '0.2'],
    ['southeastasia', 'Standard_E16ads_v5', '1.272'],
  ])('%s %s costs %s', (region, type, usd) => {
    expect(listedNanoUsd('azure', region, type)).toBe(parseNanoUsd(usd))
  })

  test('an AMD node never costs more than the same node with Intel', () => {
    const dearer = typesByRegion('azure').flatMap(([region, types]) =>
      [...types.values()].filter(({ instanceType, nanoUsdPerHour }) => {
        const amd = /^(Standard_[DE]\d+)a(d?s_v5)$/.exec(instanceType)
        const intel = amd && types.get(`${amd[1]}${amd[2]}`)
        return intel && nanoUsdPerHour > intel.nanoUsdPerHour && region
      }),
    )
    expect(dearer).toEqual([])
  })
})

describe('AWS: bare metal at the price of dedicated tenancy', () => {
  test('c6g.metal has the price of c6g.16xlarge', () => {
    expect(listedNanoUsd('aws', 'us-east-1', 'c6g.metal')).toBe(parseNanoUsd('2.176'))
    expect(listedNanoUsd('aws', 'us-east-1', 'c6g.16xlarge')).toBe(parseNanoUsd('2.176'))
  })

  test('bare metal has the price of the virtual machine of the same size, except for known open errors', () => {
    const dearer = typesByRegion('aws').flatMap(([region, types]) => dearMetal([...types.values()], region))
    const inGovCloud = dearer.filter((name) => name.startsWith('us-gov-'))
    expect(inGovCloud).toHaveLength(28)
    expect(dearer.filter((name) => !name.startsWith('us-gov-'))).toEqual([
      'us-east-1 r8gb.metal-24xl',
      'us-east-1 m8gb.metal-24xl',
    ])
  })
})

function dearMetal(types: NodeType[], region: string): string[] {
  const sizeOf = ({ instanceType, nominal }: NodeType) =>
    [instanceType.split('.')[0], nominal.vcpu, nominal.memoryGib].join()
  const isMetal = ({ instanceType }: NodeType) => instanceType.includes('.metal')
  const virtual = new Map(types.filter((type) => !isMetal(type)).map((type) => [sizeOf(type), type.nanoUsdPerHour]))
  return types
    .filter((type) => isMetal(type) && type.nanoUsdPerHour > 1.001 * (virtual.get(sizeOf(type)) ?? Infinity))
    .map(({ instanceType }) => `${region} ${instanceType}`)
    .sort((a, b) => b.localeCompare(a))
}

describe('GCP: nodes without the price of their GPUs and local SSDs', () => {
  test('a node with GPUs costs more than its vCPUs and memory', () => {
    const rates = findReferenceRates(book, { provider: 'gcp', region: '', capacityType: 'on-demand' })
    const types = typesByRegion('gcp').flatMap(([, all]) => [...all.values()])
    const withGpu = types.filter(({ nominal }) => nominal.gpuCount !== undefined)
    expect(withGpu).toHaveLength(444)
    for (const { nominal, nanoUsdPerHour } of withGpu) {
      const host =
        (nominal.vcpu ?? 0) * (rates?.nanoUsdPerVcpuHour ?? 0) +
        (nominal.memoryGib ?? 0) * (rates?.nanoUsdPerGibHour ?? 0)
      expect(nanoUsdPerHour).toBeGreaterThan(host)
    }
  })

  test('a node with local SSDs costs more than the same node without, except for known open errors', () => {
    const pairs = typesByRegion('gcp').flatMap(([region, types]) =>
      [...types.values()].flatMap((type) => {
        const plain = types.get(type.instanceType.replace(/-lssd$/, ''))
        return type.instanceType.endsWith('-lssd') && plain ? [{ region, type, plain }] : []
      }),
    )
    expect(pairs).toHaveLength(1501)
    const notDearer = pairs.filter(({ type, plain }) => type.nanoUsdPerHour <= plain.nanoUsdPerHour)
    const families = new Set(notDearer.map(({ region, type }) => `${region} ${type.instanceType.split('-')[0]}`))
    expect([...families].sort()).toEqual([
      'asia-south1 h4d',
      'asia-southeast1 h4d',
      'asia-southeast3 c4',
      'europe-west4 h4d',
      'us-central1 h4d',
      'us-east1 h4d',
    ])
  })

  test('the first A100 instance type of us-central1', () => {
    const usd = listCsv('nodes_gcp.csv').find(
      (row) => row.region === 'us-central1' && row.instance_type === 'a2-highgpu-1g',
    )
    expect(listedNanoUsd('gcp', 'us-central1', 'a2-highgpu-1g')).toBe(parseNanoUsd(usd?.on_demand_usd_hour ?? ''))
    expect(listedNanoUsd('gcp', 'us-central1', 'a2-highgpu-1g')).toBeGreaterThan(parseNanoUsd('3'))
  })
})

describe('known gaps', () => {
  test('Azure has spot prices in five regions of Europe; other regions are estimates', () => {
    const listing = typesByRegion('azure').filter(([, types]) =>
      [...types.values()].some((type) => type.spotNanoUsdPerHour !== undefined),
    )
    expect(listing.map(([region]) => region)).toHaveLength(5)
    const query = { provider: 'azure', region: 'eastus', instanceType: 'Standard_D4s_v5', os: 'linux' } as const
    expect(findNodePrice(book, { ...query, capacityType: 'spot' })).toMatchObject({ kind: 'estimated' })
  })

  test('a type with an unknown size has a price and no size', () => {
    const query = { provider: 'azure', region: 'westeurope', capacityType: 'on-demand', os: 'linux' } as const
    const small = findNodePrice(book, { ...query, instanceType: 'Standard_B1ls' })
    expect(small).toMatchObject({ kind: 'listed', nominal: { vcpu: 1 } })
    expect(small.nominal.memoryGib).toBeUndefined()
  })
})
