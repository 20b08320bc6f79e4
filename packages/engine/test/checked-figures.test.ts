import { expect, test } from 'vitest'
import { shareVolume } from '../src/allocation/share-cloud-resource.ts'
import { ONE, decimal, roundToNumber } from '../src/decimal.ts'
import { storageRate } from '../src/pricing/cloud-resource-rate.ts'
import { customRates } from '../src/pricing/custom-rates.ts'
import { usdFor } from '../src/pricing/rate.ts'
import { splitNodePrice } from '../src/pricing/split-node-price.ts'
import { allocateNode } from '../src/testing/allocate-node.ts'
import { chargeFor } from '../src/testing/charge-for.ts'
import { KIB_PER_GIB, MICROCORES_PER_CORE, RESOURCES } from '../src/units.ts'
import { aNode, amounts, aPodSpan } from '../src/allocation/builders.ts'

const hours = (from: number, to: number) => ({ from: from * 3600, to: to * 3600 })

test('a $35 node with reference shares 30/30/10 is 15 of CPU, 15 of memory and 5 of GPU', () => {
  const capacity = amounts({ cores: 1, gib: 1, gpus: 1 })
  const reference = { cpu: 30n * ONE, memory: 30n * ONE, gpu: 10n * ONE }
  const rates = splitNodePrice(35n * ONE, capacity, reference, { estimated: false })
  const hour = RESOURCES.map((resource) => usdFor(3600n * BigInt(capacity[resource]), rates[resource]))
  expect(hour.map((usd) => roundToNumber(usd))).toEqual([15, 15, 5])
})

test('monthly prices of 20, 4, 500 and 0.1 are 0.0273973, 0.0054795, 0.6849315 and 0.000136986 an hour', () => {
  const rates = customRates({ per: 'month', cpu: 20n * ONE, memory: 4n * ONE, gpu: 500n * ONE })
  const hour = amounts({ cores: 1, gib: 1, gpus: 1 })
  const hourly = RESOURCES.map((resource) => usdFor(3600n * BigInt(hour[resource]), rates[resource]))
  expect(hourly.map((usd) => roundToNumber(usd, 7))).toEqual([0.0273973, 0.0054795, 0.6849315])

  const storage = storageRate({ kind: 'per-gib', usdPerGibMonth: decimal('0.1'), estimated: false }, KIB_PER_GIB)
  expect(roundToNumber(usdFor(3600n * BigInt(KIB_PER_GIB), storage), 9)).toBe(0.000136986)
})

test('a volume shared by four pods that come and go', () => {
  const pods = [
    { key: 'pod 1', ...hours(8, 9) },
    { key: 'pod 2', ...hours(8.5, 9) },
    { key: 'pod 3', ...hours(8.75, 9) },
    { key: 'pod 4', ...hours(8, 8.25) },
  ]
  const sizeKib = 100 * KIB_PER_GIB
  const { byUser, unused, total } = shareVolume({ sizeKib, life: hours(0, 24) }, pods, hours(8, 9))
  const rate = storageRate({ kind: 'per-disk', usdPerMonth: decimal('730'), estimated: false }, sizeKib)

  const usd = pods.map(({ key }) => roundToNumber(chargeFor(byUser.get(key) ?? 0n, rate).usd))
  expect(usd).toEqual([0.583333, 0.208333, 0.083333, 0.125])
  expect(unused).toBe(0n)
  expect([...byUser.values()].reduce((sum, part) => sum + part, 0n)).toBe(total)
})

test('0–12 h requesting 2 using 1 and 6–24 h requesting 1 using 1 is 1.75 requested, 1.25 used, 0.7142857 efficient', () => {
  const pods = [
    aPodSpan({ uid: 'a', ...hours(0, 12), requests: { cores: 2 }, uses: { cores: 1, gib: 1 } }),
    aPodSpan({ uid: 'b', ...hours(6, 24), requests: { cores: 1 }, uses: { cores: 1, gib: 1 } }),
  ]
  const { containers } = allocateNode(aNode({ cores: 4 }), pods, hours(0, 24))
  const request = containers.reduce((sum, { use }) => sum + use.cpu.request, 0)
  const usage = containers.reduce((sum, { use }) => sum + use.cpu.usage, 0)

  const day = 24 * 3600 * MICROCORES_PER_CORE
  expect([request / day, usage / day]).toEqual([1.75, 1.25])
})
