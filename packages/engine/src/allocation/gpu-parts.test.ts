import { expect, test } from 'vitest'
import { PARTS_PER_WHOLE } from '../units.ts'
import { gpuParts } from './gpu-parts.ts'

test.each([
  { resource: 'nvidia.com/gpu', count: 2, node: {}, gpus: 2 },
  { resource: 'amd.com/gpu', count: 1, node: {}, gpus: 1 },
  { resource: 'nvidia.com/gpu', count: 1, node: { replicas: 4 }, gpus: 1 / 4 },
  { resource: 'nvidia.com/gpu.shared', count: 3, node: { replicas: 10 }, gpus: 3 / 10 },
  { resource: 'nvidia.com/mig-1g.5gb', count: 7, node: {}, gpus: 1 },
  { resource: 'nvidia.com/mig-1g.5gb.me', count: 1, node: {}, gpus: 1 / 7 },
  { resource: 'nvidia.com/mig-2g.10gb', count: 1, node: {}, gpus: 2 / 7 },
  { resource: 'nvidia.com/mig-3g.40gb', count: 2, node: { product: 'NVIDIA-H100-80GB-HBM3' }, gpus: 6 / 7 },
  { resource: 'nvidia.com/mig-7g.80gb', count: 1, node: {}, gpus: 1 },
  { resource: 'nvidia.com/mig-1g.6gb', count: 4, node: {}, gpus: 1 },
  { resource: 'nvidia.com/mig-2g.12gb', count: 1, node: { product: 'NVIDIA-A30' }, gpus: 1 / 2 },
  { resource: 'nvidia.com/mig-1g.24gb', count: 1, node: { product: 'NVIDIA-GH200-480GB' }, gpus: 1 / 7 },
  { resource: 'nvidia.com/mig-1g.24gb', count: 1, node: { product: 'NVIDIA-RTX-PRO-6000-Blackwell' }, gpus: 1 / 4 },
  { resource: 'nvidia.com/mig-1g.24gb', count: 1, node: { product: 'NVIDIA-RTX-PRO-5000-Blackwell' }, gpus: 1 / 2 },
  { resource: 'nvidia.com/mig-1g.5gb.shared', count: 1, node: { replicas: 2 }, gpus: 1 / 14 },
  { resource: 'nvidia.com/mig-1c.3g.20gb', count: 1, node: {}, gpus: 1 / 7 },
])('$count of $resource is $gpus GPU', ({ resource, count, node, gpus }) => {
  expect(gpuParts(resource, count, node)).toBe(Math.round(gpus * PARTS_PER_WHOLE))
})

test('the A30 is not mistaken for an A300', () => {
  expect(gpuParts('nvidia.com/mig-1g.5gb', 7, { product: 'NVIDIA-A300X' })).toBe(PARTS_PER_WHOLE)
})

test('other resources are not GPUs', () => {
  expect(gpuParts('hugepages-2Mi', 1, {})).toBeUndefined()
})
