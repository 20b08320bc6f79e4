import { expect, test } from 'vitest'
import { unpricedText } from './unpriced-text.ts'

const none = { unit_seconds: '0', fraction: 0 }
const asset = (unpriced: { unit_seconds: string; fraction: number }) => ({ cost: 1, estimated_cost: 0, unpriced })
const assets = { volumes: asset(none), balancers: asset(none), control_plane: asset(none) }
const unpriced = { cpu: none, memory: none, gpu: none }

test('a cluster with prices for everything has no text', () => expect(unpricedText({ assets, unpriced })).toBe(null))

test('the parts without a price are named with their share', () => {
  const volumes = asset({ unit_seconds: '190', fraction: 0.0667 })
  expect(unpricedText({ assets: { ...assets, volumes }, unpriced })).toBe(
    'Not priced: 6.7 % of volumes. The totals do not include this cost',
  )
})
