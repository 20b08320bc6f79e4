import { expect, test } from 'vitest'
import { chargeOf, totalUsd } from '../src/allocation/cost-row.ts'
import { groupCosts } from './group-costs.ts'
import { shareBalancer } from '../src/allocation/share-cloud-resource.ts'
import { ONE, decimal, roundToNumber } from '../src/decimal.ts'
import { cloudResourceRate, storageRate } from '../src/pricing/cloud-resource-rate.ts'
import { customRates } from '../src/pricing/custom-rates.ts'
import { decideNodePrice } from '../src/pricing/decide-node-price.ts'
import { nodeRates } from '../src/pricing/node-rates.ts'
import { parsePrice } from '../src/pricing/parse-price.ts'
import { usdFor } from '../src/pricing/rate.ts'
import { allocateNode } from '../src/testing/allocate-node.ts'
import { costNode } from '../src/testing/cost-node.ts'
import { costCloudResource } from '../src/testing/cost-shares.ts'
import type { PodFacts } from '../src/testing/pod-facts.ts'
import { podSpans } from '../src/testing/pod-spans.ts'
import { HOURS_PER_MONTH } from '../src/time.ts'
import { KIB_PER_GIB, RESOURCES } from '../src/units.ts'
import { aContainer, aNode, amounts, anOwner, aPodSpan, HOUR, someRates, usageOf } from '../src/allocation/builders.ts'

const onDemand = { onDemandUsdPerHour: decimal('0.096') }
const linux = { capacity: amounts({ cores: 2, gib: 8 }), capacityType: 'on-demand', os: 'linux' } as const
const place = { name: 'n1', pool: 'general' }

test('a full node with bursting containers never has negative idle', () => {
  // Thirty pods on 16 cores, 95 % requested, a quarter of them at 2.3 times their request.
  const cores = (16 * 0.95) / 30
  const pods = Array.from({ length: 30 }, (_, index) =>
    aPodSpan({
      uid: `p${index}`,
      requests: { cores },
      uses: { cores: index % 4 === 0 ? 2.3 * cores : 0.6 * cores, gib: 1 },
    }),
  )
  const { containers, node } = allocateNode(aNode({ cores: 16, gib: 64 }), pods, HOUR)

  // Every container keeps its reservation, and the bursts share the remaining 0.8 cores, up to thirty millionths.
  expect(containers.every(({ use }) => use.cpu.alloc >= use.cpu.request)).toBe(true)
  expect(node.cpu.clusterIdle).toBeGreaterThanOrEqual(0)
  expect(node.cpu.clusterIdle).toBeLessThan(30 * 3600)
  expect(node.cpu.alloc + node.cpu.clusterIdle).toBe(16e6 * 3600)
})

test.each([
  { minutes: 10, name: '2,000 jobs of 10 minutes are charged to the second' },
  { minutes: 3, name: '2,000 jobs of 3 minutes are charged to the second' },
])('$name', ({ minutes }) => {
  const seconds = minutes * 60
  const jobs = Array.from({ length: 2000 }, (_, index) => {
    const from = (index * 7) % (24 * 3600 - seconds)
    return aPodSpan({ uid: `job-${index}`, requests: { cores: 0.1, gib: 0.1 }, from, to: from + seconds })
  })
  const { containers } = allocateNode(aNode({ cores: 96, gib: 384 }), jobs, { from: 0, to: 24 * 3600 })

  expect(containers).toHaveLength(2000)
  expect(containers.every((job) => job.seconds === seconds && job.use.cpu.alloc === 100_000 * seconds)).toBe(true)
})

test('an estimated node has the same rates for its cost and for its containers, so its idle is never negative', () => {
  const fallback = { cpu: decimal('0.0333'), memory: decimal('0.00447') }
  const { price, rates } = nodeRates({ ...linux, fallback }, fallback)
  const full = aPodSpan({ requests: { cores: 2, gib: 8 }, uses: { cores: 2, gib: 8 } })
  const rows = costNode(allocateNode(aNode(), [full], HOUR), rates, place, () => anOwner())

  expect(rows.map((row) => chargeOf(row).usd >= 0n)).toEqual([true, true])
  expect(chargeOf(rows[1] ?? { owner: { kind: 'idle' }, charges: {} }).usd).toBe(0n)
  expect(price.kind === 'priced' && roundToNumber(totalUsd(rows) - price.usdPerHour, 9)).toBe(0)
})

test('memory is priced per GiB and not per byte', () => {
  const rates = someRates()
  expect(roundToNumber(usdFor(BigInt(8 * KIB_PER_GIB) * 3600n, rates.memory))).toBe(0.033506)
  expect(parsePrice(0.0042 * 2 ** 30 * 85, 'gibHour')).toMatchObject({ kind: 'invalid', reason: 'absurd' })
})

test('a spot node without a known spot price is never shown at the on-demand price', () => {
  const spot = { ...linux, capacityType: 'spot', book: onDemand } as const
  expect(decideNodePrice(spot)).toEqual({ kind: 'unpriced', reason: 'no-spot-price' })
  expect(decideNodePrice({ ...spot, spotShare: decimal('0.318') })).toEqual({
    kind: 'priced',
    usdPerHour: decimal('0.030528'),
    estimated: true,
    source: 'spot-share',
  })
})

test('a storage class without a list price is not priced and not free', () => {
  expect(storageRate({ kind: 'unknown' }, KIB_PER_GIB)).toEqual({ kind: 'unpriced', reason: 'unknown-storage-class' })
})

test('a monthly price is not read as an hourly one', () => {
  const monthly = customRates({ per: 'month', cpu: 20n * ONE })
  const hourly = customRates({ per: 'hour', cpu: 20n * ONE })
  const core = 3_600_000_000n
  expect(roundToNumber(usdFor(core, hourly.cpu))).toBe(20)
  expect(roundToNumber(usdFor(core * BigInt(HOURS_PER_MONTH), monthly.cpu))).toBe(20)
})

test('a load balancer without endpoints is counted once, as unattached', () => {
  const rows = costCloudResource(
    shareBalancer(HOUR, [], HOUR),
    cloudResourceRate(ONE, { estimated: false }),
    'loadBalancer',
    () => anOwner(),
  )
  expect(rows.map(({ owner }) => owner.kind)).toEqual(['unattached'])
  expect(roundToNumber(totalUsd(rows))).toBe(1)
})

test('two pods with one name and two UIDs are two pods', () => {
  const pods = ['uid-1', 'uid-2'].map((uid) => aPodSpan({ uid, requests: { cores: 0.5 } }))
  const { containers } = allocateNode(aNode(), pods, HOUR)
  expect(containers.map(({ uid, use }) => [uid, use.cpu.alloc / 3600])).toEqual([
    ['uid-1', 500_000],
    ['uid-2', 500_000],
  ])
})

test('a restart that sends everything again counts nothing twice', () => {
  const facts: PodFacts = {
    uid: 'a',
    life: { boundAt: 0 },
    versions: [{ from: 0, shape: { containers: [aContainer()] } }],
    samples: [{ from: 0, to: 60, container: 'app', usage: usageOf({ cores: 0.25, gib: 1 }) }],
  }
  const once = allocateNode(aNode(), podSpans([facts], 3600), HOUR)
  const twice = allocateNode(aNode(), podSpans([facts, facts], 3600), HOUR)
  expect(twice).toEqual(once)
})

test('a total with a missing price is marked as incomplete', () => {
  const unpriced = nodeRates(linux, { cpu: ONE, memory: ONE }).rates
  const rows = costNode(allocateNode(aNode(), [aPodSpan()], HOUR), unpriced, place, () => anOwner())
  expect(groupCosts(rows, ['namespace']).every((group) => group.unpriced)).toBe(true)
  expect(RESOURCES.map((resource) => rows[0]?.charges[resource]?.unpriced)).toEqual([true, true, false])
})
