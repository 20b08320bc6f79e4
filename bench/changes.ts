// The CPU time to split the cost difference of two weeks into effects, for 30,000 workloads on 5,000 nodes.
import { SECONDS_PER_DAY } from '../packages/engine/src/index.ts'
import {
  addLine,
  capacityEffects,
  capacityTotals,
  compareTimes,
  emptyLine,
  idleEffects,
  splitByGroup,
  workloadEffects,
  workloadTotals,
  type RatedCapacity,
  type RatedUse,
  type WorkloadUse,
} from '../packages/engine/src/changes/index.ts'
import type { NodeRates, Rate } from '../packages/engine/src/pricing/index.ts'

const WORKLOADS = 30_000
const CLASSES = 12
const ROUNDS = 5
const SECONDS_AIM = 1

const week = 7 * SECONDS_PER_DAY
const classKeys = Array.from({ length: CLASSES }, (_, index) => `class-${index}`)

/** The same number for the same seed, between 0 and 1. */
const noise = (seed: number) => ((seed * 2654435761) >>> 0) / 2 ** 32

const rate = (usdPerUnitSecond: bigint): Rate => ({ kind: 'priced', usdPerUnitSecond, estimated: false })

/** Every third class has another price in the second week. */
function ratesOf(index: number, isNow: boolean): NodeRates {
  const percent = isNow && index % 3 === 0 ? 93n : 100n
  const base = BigInt(Math.floor(8e12 + noise(index) * 1e12))
  return {
    cpu: rate((base * percent) / 100n),
    memory: rate((base * percent) / 800n),
    gpu: rate((base * percent) / 10n),
  }
}

function useOf(seed: number, pods: number): WorkloadUse {
  const seconds = BigInt(Math.floor(pods * week))
  const perPod = { cpu: BigInt(Math.floor(noise(seed) * 2e6)), memory: BigInt(Math.floor(noise(seed + 1) * 4e6)) }
  const request = { cpu: seconds * perPod.cpu, memory: seconds * perPod.memory, gpu: 0n }
  const beyond = BigInt(Math.floor(noise(seed + 2) * 1e11))
  return { seconds, request, alloc: { ...request, cpu: request.cpu + beyond } }
}

/** Two node classes each, other replicas and requests in the second week. One in fifty is new or gone. */
function workload(seed: number): RatedUse[] {
  return [0, 1].flatMap((offset) => {
    const index = (seed + offset) % CLASSES
    const before = seed % 50 === 0 ? null : useOf(seed * 7 + offset, 1 + noise(seed) * 4)
    const now = seed % 50 === 1 ? null : useOf(seed * 11 + offset, 1 + noise(seed + 3) * 4)
    const classKey = classKeys[index] ?? ''
    return [
      { classKey, rates: ratesOf(index, false), before, now: null },
      { classKey, rates: ratesOf(index, true), before: null, now },
    ]
  })
}

const capacities: RatedCapacity[] = classKeys.flatMap((classKey, index) => {
  const capacity = { cpu: 10n ** 16n, memory: 10n ** 16n, gpu: 0n }
  return [
    { classKey, rates: ratesOf(index, false), before: capacity, now: null },
    { classKey, rates: ratesOf(index, true), before: null, now: capacity },
  ]
})

const workloads = Array.from({ length: WORKLOADS }, (_, seed) => workload(seed))
const comparison = compareTimes({ before: week, now: week - 3600 }, { before: false, now: false })

/** Every tenth workload changes its team. */
function compareAll(): number {
  const all = emptyLine()
  workloads.forEach((uses, seed) => {
    const totals = workloadTotals(uses)
    const effects = workloadEffects(totals, comparison)
    const [before, now] = [totals.before.usd, totals.now.usd]
    const groups =
      seed % 10 === 0
        ? [
            { group: 'blue', before, now: 0n },
            { group: 'red', before: 0n, now },
          ]
        : [{ group: 'red', before, now }]
    for (const line of splitByGroup(effects, groups, 'compute')) addLine(all, line)
  })
  const capacity = capacityTotals(capacities)
  const difference = capacity.usd.now - capacity.usd.before - (all.now - all.before)
  return all.effects.size + idleEffects(capacityEffects(capacity, comparison), all.effects, difference).size
}

let best = Number.POSITIVE_INFINITY
let effects = 0
for (let round = 0; round < ROUNDS; round += 1) {
  const start = process.cpuUsage()
  effects = compareAll()
  const { user, system } = process.cpuUsage(start)
  best = Math.min(best, (user + system) / 1e6)
}
console.log(
  `${WORKLOADS} workloads: ${best.toFixed(2)} CPU seconds for ${effects} effects of the cluster, aim ${SECONDS_AIM} s`,
)
