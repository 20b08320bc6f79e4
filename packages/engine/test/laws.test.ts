import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COMPONENTS, chargeOf, totalUsd, type CostRow } from '../src/allocation/cost-row.ts'
import { nameIn, type Dimension } from '../src/allocation/cost-dimension.ts'
import { groupCosts } from './group-costs.ts'
import { shareCosts, type Sharing } from '../src/allocation/share-costs.ts'
import { roundToNumber } from '../src/decimal.ts'
import { idleBreakdown } from '../src/idle/idle-breakdown.ts'
import { cloudResourceRate } from '../src/pricing/cloud-resource-rate.ts'
import { usdFor, type NodeRates, type Rate } from '../src/pricing/rate.ts'
import { secondsOf, intersect } from '../src/time.ts'
import { RESOURCES } from '../src/units.ts'
import {
  allocate,
  cloudResourceRows,
  clusterRows,
  clusterUsd,
  END,
  nodeRows,
  nodeSides,
  randomCluster,
  type RandomNode,
} from './random-cluster.ts'

const ALWAYS = { from: 0, to: END }
const second = fc.nat(END)
const window = fc.tuple(second, second).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }))
const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)

const DIMENSIONS: Dimension[] = ['namespace', 'workload', 'controllerKind', 'node', 'nodePool', 'label:team']

test('law 1: components sum to each row, and rows to the cost of the resources, per resource, node and window', () => {
  fc.assert(
    fc.property(randomCluster, window, (cluster, some) => {
      for (const node of cluster.nodes) {
        const rows = nodeRows(node, some)
        const seconds = BigInt(secondsOf(intersect(node.size.life, some)))
        for (const resource of RESOURCES) {
          const cost = usdFor(BigInt(node.size.capacity[resource]) * seconds, node.rates[resource])
          expect(sum(rows.map(({ charges }) => charges[resource]?.usd ?? 0n))).toBe(cost)
        }
      }
      for (const row of clusterRows(cluster, some)) {
        expect(sum(COMPONENTS.map((component) => row.charges[component]?.usd ?? 0n))).toBe(chargeOf(row).usd)
      }
      const fee = cloudResourceRate(cluster.feeUsdPerHour, { estimated: false })
      const overhead = cloudResourceRows(cluster, some).filter(({ owner }) => owner.kind === 'overhead')
      expect(totalUsd(overhead)).toBe(usdFor(5_040_000n * BigInt(secondsOf(some)), fee))
    }),
  )
})

test('law 1: workload + workload idle + cluster idle is the capacity, to the last unit', () => {
  fc.assert(
    fc.property(randomCluster, window, (cluster, some) => {
      for (const node of cluster.nodes) {
        const allocation = allocate(node, some)
        for (const resource of RESOURCES) {
          const { capacity, alloc, used, clusterIdle, systemReserved } = allocation.node[resource]
          const workloads = allocation.containers.map(({ use }) => use[resource])
          expect(workloads.reduce((total, use) => total + use.alloc, 0)).toBe(alloc)
          expect(workloads.reduce((total, use) => total + use.used, 0)).toBe(used)
          expect(used + (alloc - used) + clusterIdle).toBe(capacity)
          expect(systemReserved).toBeLessThanOrEqual(clusterIdle)
        }
      }
    }),
  )
})

test('law 2: the total does not depend on the grouping', () => {
  fc.assert(
    fc.property(randomCluster, fc.subarray(DIMENSIONS), (cluster, by) => {
      const rows = clusterRows(cluster)
      const groups = groupCosts(rows, by)
      expect(sum(groups.map(({ usd }) => usd))).toBe(totalUsd(rows))
      for (const { usd, charges } of groups) expect(sum(Object.values(charges).map((charge) => charge.usd))).toBe(usd)
    }),
  )
})

test('law 3: two adjacent windows sum to the window that joins them, wherever the cut', () => {
  const groups = (rows: CostRow[]) =>
    new Map(groupCosts(rows, ['workload', 'node']).map(({ names, usd }) => [names.join(), usd]))
  fc.assert(
    fc.property(randomCluster, window, second, (cluster, some, at) => {
      const cut = Math.min(Math.max(at, some.from), some.to)
      const before = clusterRows(cluster, { from: some.from, to: cut })
      const after = clusterRows(cluster, { from: cut, to: some.to })
      const joined = groups([...before, ...after])
      for (const [name, usd] of groups(clusterRows(cluster, some))) expect(joined.get(name) ?? 0n).toBe(usd)
      expect(totalUsd([...before, ...after])).toBe(clusterUsd(cluster, some))
    }),
  )
})

test('law 3: steps sum to the accumulation, classes included', () => {
  fc.assert(
    fc.property(randomCluster, fc.constantFrom(60, 900, 3600), (cluster, step) => {
      const steps = Array.from({ length: END / step }, (_, index) => ({ from: index * step, to: (index + 1) * step }))
      for (const node of cluster.nodes) {
        const whole = allocate(node, ALWAYS).node
        const pieces = steps.map((some) => allocate(node, some).node)
        for (const key of ['capacity', 'alloc', 'used', 'clusterIdle', 'systemReserved'] as const) {
          expect(pieces.reduce((total, piece) => total + piece.cpu[key], 0)).toBe(whole.cpu[key])
        }
      }
    }),
    { numRuns: 25 },
  )
})

test('law 4: matching and not matching rows add up to all rows, including idle', () => {
  fc.assert(
    fc.property(randomCluster, fc.constantFrom(...DIMENSIONS), fc.nat(3), (cluster, dimension, pick) => {
      const rows = clusterRows(cluster)
      const name = nameIn(rows[pick % rows.length] ?? { owner: { kind: 'idle' }, charges: {} }, dimension)
      const matching = rows.filter((row) => nameIn(row, dimension) === name)
      const others = rows.filter((row) => nameIn(row, dimension) !== name)
      expect(totalUsd(matching) + totalUsd(others)).toBe(totalUsd(rows))
    }),
  )
})

test('law 5: sharing conserves; even, proportional and weighted give the same sum', () => {
  const weights = fc.dictionary(fc.constantFrom('shop', 'jobs', 'kube-system'), fc.bigInt({ min: 0n, max: 100n }))
  fc.assert(
    fc.property(randomCluster, weights, (cluster, some) => {
      const rows = clusterRows(cluster)
      const sharings: Sharing[] = [
        { kind: 'even' },
        { kind: 'proportional' },
        { kind: 'weighted', weights: new Map(Object.entries(some)) },
      ]
      const isShared = (row: CostRow) => row.owner.kind !== 'workload' || row.owner.namespace === 'kube-system'
      for (const sharing of sharings) {
        const shared = shareCosts(rows, isShared, (row) => nameIn(row, 'namespace'), sharing)
        expect(totalUsd(shared)).toBe(totalUsd(rows))
      }
    }),
  )
})

test('law 6: no negative cost, no NaN, no infinity', () => {
  fc.assert(
    fc.property(randomCluster, window, (cluster, some) => {
      for (const node of cluster.nodes) {
        const { containers, node: whole } = allocate(node, some)
        const numbers = [
          ...containers.flatMap(({ seconds, use }) => [
            seconds,
            ...RESOURCES.flatMap((one) => Object.values(use[one])),
          ]),
          ...RESOURCES.flatMap((one) => Object.values(whole[one])),
        ]
        expect(numbers.every((value) => Number.isSafeInteger(value) && value >= 0)).toBe(true)
      }
      expect(clusterRows(cluster, some).every((row) => chargeOf(row).usd >= 0n)).toBe(true)
    }),
  )
})

/** Every fact twice and in another order. */
function doubled(node: RandomNode): RandomNode {
  const pods = node.pods.map((pod) => ({
    ...pod,
    facts: {
      ...pod.facts,
      versions: [...pod.facts.versions, ...pod.facts.versions.toReversed()],
      samples: [...pod.facts.samples.toReversed(), ...pod.facts.samples],
    },
  }))
  return { ...node, pods: [...pods.toReversed(), ...node.pods] }
}

const totals = (rows: readonly CostRow[]) =>
  groupCosts(rows, DIMENSIONS).map(({ names, usd, estimatedUsd, unpriced }) => ({ names, usd, estimatedUsd, unpriced }))

test('law 7: duplicated or reordered input changes nothing', () => {
  fc.assert(
    fc.property(randomCluster, (cluster) => {
      const again = { ...cluster, nodes: cluster.nodes.map(doubled).toReversed() }
      expect(totals(clusterRows(again))).toEqual(totals(clusterRows(cluster)))
    }),
  )
})

test('law 7: a gap in samples loses usage data, and never counts anything twice', () => {
  fc.assert(
    fc.property(randomCluster, fc.nat(11), (cluster, lost) => {
      for (const node of cluster.nodes) {
        const pods = node.pods.map((pod) => ({
          ...pod,
          facts: { ...pod.facts, samples: pod.facts.samples.filter((_, index) => index !== lost) },
        }))
        const [whole, gapped] = [allocate(node, ALWAYS), allocate({ ...node, pods }, ALWAYS)]
        const known = (allocation: typeof whole) =>
          allocation.containers.reduce((total, { use }) => total + use.cpu.knownSeconds, 0)
        const seconds = (allocation: typeof whole) =>
          allocation.containers.reduce((total, one) => total + one.seconds, 0)
        expect(known(gapped)).toBeLessThanOrEqual(known(whole))
        expect(seconds(gapped)).toBe(seconds(whole))
        expect(gapped.containers.every(({ seconds: all, use }) => use.cpu.knownSeconds <= all)).toBe(true)
        expect(gapped.node.cpu.capacity).toBe(whole.node.cpu.capacity)
      }
    }),
  )
})

const withoutSamples = (node: RandomNode): RandomNode => ({
  ...node,
  pods: node.pods.map((pod) => ({ ...pod, facts: { ...pod.facts, samples: [] } })),
})

test('law 7: time without samples is unmeasured, never used, and the classes still add up', () => {
  fc.assert(
    fc.property(randomCluster, window, (cluster, some) => {
      for (const node of cluster.nodes) {
        const { containers, node: whole } = allocate(node, some)
        for (const resource of ['cpu', 'memory'] as const) {
          const sumOf = (of: 'used' | 'unmeasured' | 'usage') =>
            containers.reduce((total, { use }) => total + use[resource][of], 0)
          expect(sumOf('unmeasured')).toBe(whole[resource].unmeasured)
          expect(sumOf('used') - sumOf('unmeasured')).toBeLessThanOrEqual(sumOf('usage'))
        }
        for (const [resource, { used, unmeasured }] of Object.entries(allocate(withoutSamples(node), some).node)) {
          expect(unmeasured, resource).toBe(used)
        }
      }
    }),
  )
})

test('law 8: the same quantity has the same number everywhere: idle, groups and nodes agree', () => {
  fc.assert(
    fc.property(randomCluster, (cluster) => {
      const sides = cluster.nodes.map((node) => nodeSides(node, ALWAYS))
      const idle = idleBreakdown(
        sides.map(({ node }) => node),
        sides.flatMap(({ namespaces }) => namespaces),
      )
      const rows = cluster.nodes.flatMap((node) => nodeRows(node, ALWAYS))
      expect(idle.total).toBe(totalUsd(rows))
      for (const { names, usd } of groupCosts(rows, ['namespace'])) {
        const row = idle.byNamespace.find(({ namespace }) => namespace === names[0])
        expect(row && row.workload + row.workloadIdle + row.clusterIdle).toBe(usd)
      }
      for (const { names, usd } of groupCosts(rows, ['node'])) {
        const row = idle.byNode.find(({ node }) => node === names[0])
        expect(row && row.workload + row.workloadIdle + row.clusterIdle).toBe(usd)
      }
    }),
  )
})

function doublePrice(rate: Rate): Rate {
  return rate.kind === 'unpriced' ? rate : { ...rate, usdPerUnitSecond: 2n * rate.usdPerUnitSecond }
}

test('law 9: doubling every price doubles every cost', () => {
  fc.assert(
    fc.property(randomCluster, (cluster) => {
      for (const node of cluster.nodes) {
        const { cpu, memory, gpu } = node.rates
        const twice: NodeRates = { cpu: doublePrice(cpu), memory: doublePrice(memory), gpu: doublePrice(gpu) }
        const costs = (rates: NodeRates) => nodeRows(node, ALWAYS, rates).map((row) => chargeOf(row).usd)
        expect(costs(twice)).toEqual(costs(node.rates).map((usd) => 2n * usd))
      }
    }),
  )
})

test('the random clusters cover costs, idle, bursts, gaps and sharing', () => {
  const clusters = fc.sample(randomCluster, { numRuns: 200, seed: 7 })
  const rows = clusters.flatMap((cluster) => clusterRows(cluster))
  const kinds = new Set(rows.filter((row) => chargeOf(row).usd > 0n).map(({ owner }) => owner.kind))
  expect(kinds).toEqual(new Set(['workload', 'idle', 'unmounted', 'unattached', 'overhead']))
  expect(rows.some((row) => chargeOf(row).unpriced)).toBe(true)
  expect(rows.some((row) => chargeOf(row).estimatedUsd > 0n)).toBe(true)
  expect(roundToNumber(totalUsd(rows))).toBeGreaterThan(100)

  const uses = clusters.flatMap(({ nodes }) => nodes.flatMap((node) => allocate(node, ALWAYS).containers))
  expect(uses.some(({ use }) => use.cpu.alloc > use.cpu.request)).toBe(true)
  expect(uses.some(({ use }) => use.cpu.alloc < use.cpu.request)).toBe(true)
  expect(uses.some(({ use, seconds }) => use.cpu.knownSeconds > 0 && use.cpu.knownSeconds < seconds)).toBe(true)
  expect(uses.some(({ container }) => container === '(pod)')).toBe(true)
})
