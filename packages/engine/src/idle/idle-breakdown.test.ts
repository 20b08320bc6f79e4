import { expect, test } from 'vitest'
import { allocateNode } from '../testing/allocate-node.ts'
import { aNode, aPodSpan, HOUR, someRates } from '../allocation/builders.ts'
import { roundToNumber } from '../decimal.ts'
import { sameForAll } from '../pricing/rate.ts'
import { idleBreakdown } from './idle-breakdown.ts'
import { nodeQuantities } from '../testing/node-quantities.ts'

const node = aNode({ allocatable: { cores: 1.5, gib: 8 } })
const seen = aPodSpan({ uid: 'seen', requests: { cores: 1, gib: 2 }, uses: { cores: 0.25, gib: 1 } })
const unseen = aPodSpan({ uid: 'unseen', requests: { cores: 0.25, gib: 2 } })

function breakdown(rates = someRates()) {
  const allocation = allocateNode(node, [seen, unseen], HOUR)
  const sides = nodeQuantities('n1', allocation, rates, (uid) => `ns-${uid}`)
  return idleBreakdown([sides.node], sides.namespaces)
}

test('an hour of the reference node in three classes', () => {
  const { total, classes, byResource, systemReserved } = breakdown()
  // CPU at 0.0312471015: used 0.25 + 0.25, requested but unused 0.75, unallocated 0.75, of which 0.5 is
  // system-reserved.
  expect(roundToNumber(byResource.cpu.workload)).toBe(0.015624)
  expect(roundToNumber(byResource.cpu.workloadIdle)).toBe(0.023435)
  expect(roundToNumber(byResource.cpu.clusterIdle)).toBe(0.023435)
  expect(roundToNumber(systemReserved)).toBe(0.015624)
  // Memory at 0.0041882246: used 1 + 2, requested but unused 1, unallocated 4.
  expect(roundToNumber(byResource.memory.workload)).toBe(0.012565)
  expect(roundToNumber(byResource.memory.clusterIdle)).toBe(0.016753)
  // Without samples: 0.25 cores and 2 GiB. They are part of `workload`, and their usage is unknown.
  expect([byResource.cpu.unmeasured, byResource.memory.unmeasured].map((usd) => roundToNumber(usd))).toEqual([
    0.007812, 0.008376,
  ])
  expect(classes.workload + classes.workloadIdle + classes.clusterIdle).toBe(total)
  expect(roundToNumber(total)).toBe(0.096)
})

test('namespaces and nodes partition the same sum, and unallocated capacity is __idle__', () => {
  const { classes, byNamespace, byNode } = breakdown()
  expect(byNamespace.map(({ namespace }) => namespace)).toEqual(['ns-seen', 'ns-unseen', '__idle__'])
  for (const name of ['workload', 'workloadIdle', 'clusterIdle', 'unmeasured'] as const) {
    expect(byNamespace.reduce((sum, row) => sum + row[name], 0n)).toBe(classes[name])
    expect(byNode.reduce((sum, row) => sum + row[name], 0n)).toBe(classes[name])
  }
})

test('coverage is the share of measured time', () => {
  const { usageCoverage } = breakdown()
  expect(usageCoverage.cpu).toEqual({ kind: 'known', fraction: 0.5 })
  expect(usageCoverage.gpu).toEqual({ kind: 'unknown', reason: 'no-containers' })
})

test('a node without a price is not free: its share is reported', () => {
  const { total, unpriced } = breakdown(sameForAll({ kind: 'unpriced', reason: 'not-in-book' }))
  expect(total).toBe(0n)
  expect(unpriced.cpu).toEqual({ unitSeconds: 7_200_000_000n, fraction: 1 })
  expect(breakdown().unpriced.cpu.fraction).toBe(0)
})
