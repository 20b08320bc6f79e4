import type { PriceOverride } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { draftFor, overrideBody } from './override-draft.ts'
import { overrideText } from './override-text.ts'

const typed = {
  provider: 'aws',
  percent: ' 10 ',
  instance_type: 'm5.xlarge',
  usd_per_hour: '0.1610',
  region: '',
  effective_from: '2026-01-01T05:00',
}

test('only non-empty fields of the selected kind are sent', () => {
  expect(overrideBody('discount', typed)).toEqual({
    kind: 'discount',
    provider: 'aws',
    percent: '10',
    effective_from: '2026-01-01T05:00:00Z',
  })
  expect(overrideBody('node_price', { ...typed, effective_from: '' })).toEqual({
    kind: 'node_price',
    provider: 'aws',
    instance_type: 'm5.xlarge',
    usd_per_hour: '0.1610',
  })
  expect(overrideBody('custom_rates', { ...typed, cluster_id: 'cls_1', usd_per_vcpu_month: '0' })).toEqual({
    kind: 'custom_rates',
    cluster_id: 'cls_1',
    usd_per_vcpu_month: '0',
    effective_from: '2026-01-01T05:00:00Z',
  })
})

test('only a discount starts with a provider; a node price applies to any provider until one is selected', () => {
  expect(overrideBody('node_price', draftFor('node_price', { instance_type: 'm5.xlarge' }))).toEqual({
    kind: 'node_price',
    instance_type: 'm5.xlarge',
  })
  expect(draftFor('discount', {})).toEqual({ provider: 'aws' })
  expect(draftFor('discount', { provider: '' })).toEqual({ provider: 'aws' })
  expect(draftFor('discount', { provider: 'gcp' })).toEqual({ provider: 'gcp' })
})

const row = (set: Partial<PriceOverride>): PriceOverride => ({
  id: 'prc_1',
  kind: 'discount',
  cluster_id: null,
  provider: null,
  region: null,
  instance_type: null,
  capacity_type: null,
  os: null,
  usd_per_hour: null,
  percent: null,
  usd_per_vcpu_month: null,
  usd_per_gib_month: null,
  usd_per_gpu_month: null,
  usd_per_storage_gib_month: null,
  effective_from: '2026-01-01T00:00:00Z',
  effective_until: null,
  note: null,
  created_at: '2026-01-01T00:00:00Z',
  ...set,
})

test.each([
  [{ kind: 'discount', provider: 'aws', percent: 12.5 }, '12.5 % off list prices of AWS'],
  [{ kind: 'node_price', instance_type: 'm5.xlarge', usd_per_hour: 0.161, os: 'linux' }, 'm5.xlarge at $0.1610/h'],
  [
    { kind: 'node_price', instance_type: 'm5.xlarge', usd_per_hour: 0, capacity_type: 'spot', os: 'windows', provider: 'aws', region: 'eu-west-1' }, // prettier-ignore
    'm5.xlarge at $0.0000/h (spot, Windows, AWS, eu-west-1)',
  ],
  [
    { kind: 'custom_rates', usd_per_vcpu_month: 18, usd_per_storage_gib_month: 0.05 },
    'custom rates per month: $18/vCPU, $0.05/GiB storage',
  ],
] as const)('an override is shown in one line', (set, words) => {
  expect(overrideText(row(set))).toBe(words)
})
