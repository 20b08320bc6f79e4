import { expect, test } from 'vitest'
import { unpricedText } from './unpriced-text.ts'

const none = { unit_seconds: '0', fraction: 0 }
const asset = (unpriced: { unit_seconds: string; fraction: number }) => ({ cost: 1, estimated_cost: 0, unpriced })
const assets = { volumes: asset(none), balancers: asset(none), control_plane: asset(none) }
const unpriced = { cpu: none, memory: none, gpu: none }

test('where all has a price nothing is said', () => expect(unpricedText({ assets, unpriced })).toBe(null))

test('what has no price is named with its share', () => {
  const volumes = asset({ unit_seconds: '190', fraction: 0.0667 })
  expect(unpricedText({ assets: { ...assets, volumes }, unpriced })).toBe(
    'not priced: 6.7 % of volumes; the totals do not include this cost',
  )
})
