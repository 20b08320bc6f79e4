import { PARTS_PER_WHOLE, SECONDS_PER_HOUR } from '@plimsoll/engine'
import { expect, test } from 'vitest'
import { around, now, aSnapshot } from '../../test/a-snapshot.ts'
import { factsOf } from './facts-of.ts'

/** The price row of the only node, whose GPU costs this much. */
function rowWith(gpuUsdPerHour: number | null) {
  const state = aSnapshot({ nodes: [{ name: 'a' }], pods: [{ name: 'web-1', node: 0 }] })
  const { rates, ...rest } = around(state)
  const gpuUsd = gpuUsdPerHour === null ? null : gpuUsdPerHour / SECONDS_PER_HOUR / PARTS_PER_WHOLE
  const priced = new Map([...rates].map(([key, rate]) => [key, { ...rate, gpuUsd }]))
  const [workload] = factsOf(state, { ...rest, rates: priced }).workloads
  return workload?.price?.rows[0]
}

test.each([
  // 730 hours a month.
  { name: 'is shown per whole GPU and month', gpuUsdPerHour: 0.5, shown: 365 },
  { name: 'is not shown for nodes without one', gpuUsdPerHour: 0, shown: null },
  { name: 'is not shown if unknown', gpuUsdPerHour: null, shown: null },
])('the price of a GPU $name', ({ gpuUsdPerHour, shown }) => {
  expect(rowWith(gpuUsdPerHour)).toMatchObject({ rateId: '1', gpuUsdPerGpuMonth: shown })
})

test('the parts of a price row add up to its node', () => {
  const { nodeUsdPerHour, cpuUsdPerCoreMonth, memoryUsdPerGibMonth } = rowWith(null) ?? {}
  // 4 cores and 16 GiB.
  const parts = 4 * (cpuUsdPerCoreMonth ?? 0) + 16 * (memoryUsdPerGibMonth ?? 0)
  expect(parts).toBeCloseTo(730 * (nodeUsdPerHour ?? 0), 3)
})

test('a load balancer lists the workloads of its ready pods, each once', () => {
  const state = aSnapshot({
    nodes: [{ name: 'a' }],
    pods: ['web-1', 'web-2', 'api-1'].map((name) => ({ name, node: 0 })),
    more: (writer) =>
      writer.addBalancer({
        ...{
          ref: 700,
          uid: 'lb',
          from: now - 60,
          name: 'front',
          namespace: 'shop',
          type: 'nlb',
          readyPodRefs: [100, 101],
        },
      }),
  })
  expect(factsOf(state, around(state)).balancers).toMatchObject([{ workloads: ['shop/Deployment/web'] }])
})
