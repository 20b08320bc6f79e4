import { expect, test } from 'vitest'
import { loadPriceBook } from '../../test/load-price-book.ts'
import { findGpuRate, findReferenceRates } from './reference-rates.ts'

const book = loadPriceBook()
const onDemand = 'on-demand' as const

test.each([
  { provider: 'aws', region: 'af-south-1', expected: [44_788_000, 4_098_000, 'region'] },
  { provider: 'aws', region: 'af-south-1b', expected: [44_788_000, 4_098_000, 'region'] },
  { provider: 'aws', region: 'xx-new-1', expected: [35_846_000, 3_591_000, 'provider'] },
  { provider: 'oci', region: 'us-ashburn-1', expected: [12_500_000, 1_500_000, 'provider'] },
  { provider: 'hetzner', region: 'fsn1', expected: [31_611_000, 4_237_000, 'default'] },
  { provider: 'on-prem', region: '', expected: [31_611_000, 4_237_000, 'provider'] },
  { provider: '', region: '', expected: [31_611_000, 4_237_000, 'default'] },
])('rates of $provider in $region', ({ provider, region, expected }) => {
  const rates = findReferenceRates(book, { provider, region, capacityType: onDemand })
  expect([rates?.nanoUsdPerVcpuHour, rates?.nanoUsdPerGibHour, rates?.scope]).toEqual(expected)
  expect(rates?.source).not.toBe('')
  expect(rates?.asOf).toMatch(/^\d{4}-/)
})

test('a provider with a list and without spot prices has no spot rates', () => {
  expect(findReferenceRates(book, { provider: 'hetzner', region: '', capacityType: 'spot' })).toBeUndefined()
  expect(findReferenceRates(book, { provider: 'unheard-of', region: '', capacityType: 'spot' })).toBeDefined()
})

test('the rate of a GPU does not include its host', () => {
  for (const [provider, gpuType] of ratesInBook()) {
    const [row] = book.gpuRates.rowsOf(`${provider}|${gpuType.toLowerCase()}`).map((at) => book.gpuRates.rowAt(at))
    expect(row?.nanoUsdPerHour).toBeGreaterThan(0)
    expect(row?.nanoUsdPerHour).toBeLessThan(row?.withHostNanoUsdPerHour ?? 0)
  }
})

test('the rate of an A100 of p4d in us-east-1 is the price without vCPUs and memory, per GPU', () => {
  // The median over 14 regions and p4d alone: 3.2935 with 1/8 of 96 vCPU at 0.035846 and 1152 GiB at 0.003591.
  const rate = findGpuRate(book, { provider: 'aws', region: 'us-east-1', gpuType: 'NVIDIA-A100-SXM4-40GB' })
  expect((rate?.nanoUsdPerHour ?? 0) / 1e9).toBeCloseTo(3.2935 - (96 * 0.035846 + 1152 * 0.003591) / 8, 3)
  expect(rate).toMatchObject({ scope: 'provider', source: 'pricebook-median', asOf: '2026-08-22' })
})

test('an add-on is already a rate without a host, and an unknown GPU has the default rate', () => {
  const gcp = { provider: 'gcp', region: 'us-central1' }
  expect(findGpuRate(book, { ...gcp, gpuType: 'nvidia-tesla-t4' })).toMatchObject({
    nanoUsdPerHour: 350_000_000,
    scope: 'region',
  })
  expect(findGpuRate(book, { ...gcp, gpuType: 'X1' })).toMatchObject({ nanoUsdPerHour: 950_000_000, scope: 'default' })
})

function ratesInBook(): [string, string][] {
  return [
    ['aws', 'T4G'],
    ['aws', 'A10G'],
    ['aws', 'M60'],
    ['aws', 'Inferentia'],
    ['gcp', 'L4'],
    ['gcp', 'H100'],
    ['azure', 'A10'],
    ['azure', 'T4'],
  ]
}
