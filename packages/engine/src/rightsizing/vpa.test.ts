import { expect, test } from 'vitest'
import { VPA_CPU, VPA_MEMORY, vpaBucketCount, vpaBucketOf, vpaCpuTarget, vpaTarget } from './vpa.ts'

function targetOf(samples: readonly { units: number; weight: number }[]): number {
  const weights = new Float64Array(vpaBucketCount(VPA_CPU))
  for (const { units, weight } of samples) {
    const bucket = vpaBucketOf(VPA_CPU, units)
    weights[bucket] = (weights[bucket] ?? 0) + weight
  }
  return vpaTarget(VPA_CPU, weights)
}

test('a steady core gives the end of its bucket plus 15 %', () => {
  // 0.01 · (1.05^37 − 1) / 0.05 = 1.01628 cores ends the bucket of 1 core.
  expect(vpaBucketOf(VPA_CPU, 10_000)).toBe(36)
  expect(targetOf([{ units: 10_000, weight: 1 }])).toBeCloseTo(1.15 * 10_162.8, 0)
})

test('tiny usage gives 25 millicores', () => {
  expect(targetOf([{ units: 5, weight: 1 }])).toBe(250)
  expect(vpaCpuTarget(5)).toBe(250)
})

test('a tenth of the weight is left above', () => {
  const low = targetOf([{ units: 1000, weight: 1 }])
  const high = targetOf([{ units: 9000, weight: 1 }])
  const mixed = (share: number) =>
    targetOf([
      { units: 1000, weight: 1 - share },
      { units: 9000, weight: share },
    ])
  expect(mixed(0.09)).toBe(low)
  expect(mixed(0.11)).toBe(high)
})

test('the fast path equals the slow path', () => {
  for (const units of [0, 1, 99, 100, 101, 250, 1234, 10_000, 1e6]) {
    expect(vpaCpuTarget(units)).toBeCloseTo(targetOf([{ units, weight: 1 }]), 9)
  }
})

test('memory has at least 250 MiB', () => {
  const weights = new Float64Array(vpaBucketCount(VPA_MEMORY))
  weights[0] = 1
  expect(vpaTarget(VPA_MEMORY, weights)).toBe(250 * 1024)
})
