import { expect, test } from 'vitest'
import { describeClass } from './describe-class.ts'

const query = { provider: 'gcp', region: 'europe-west4', instanceType: 'a2-highgpu-1g', capacityType: 'on-demand', os: 'linux' } // prettier-ignore
const capacity = { cpu: 12_000_000, memory: 85 * 1024 * 1024, gpu: 0 }
const textOf = (facts: object) => describeClass(JSON.stringify({ query, capacity, ...facts }))

test('a node class is described in words and public units', () => {
  expect(textOf({})).toBe('a2-highgpu-1g, on-demand, GCP europe-west4, 12 cores, 85 GiB')
  expect(
    textOf({ query: { ...query, gpu: { type: 'A100', count: 1 } }, capacity: { ...capacity, gpu: 5_040_000 } }),
  ).toBe('a2-highgpu-1g, on-demand, GCP europe-west4, 12 cores, 85 GiB, 1 GPU A100')
})

test('unknown or inapplicable facts are omitted', () => {
  expect(textOf({ query: { ...query, instanceType: '', capacityType: 'spot', os: 'windows', region: '' } })).toBe(
    'node of unknown type, spot, windows, GCP, 12 cores, 85 GiB',
  )
  const serverless = { product: 'fargate', arch: 'arm64' }
  expect(textOf({ serverless, capacity: { cpu: 0, memory: 0, gpu: 0 } })).toBe(
    'fargate on arm64, on-demand, GCP europe-west4',
  )
})
