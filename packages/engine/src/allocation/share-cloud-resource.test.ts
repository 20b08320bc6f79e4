import { chargeFor } from '../testing/charge-for.ts'
import { expect, test } from 'vitest'
import { decimal, roundToNumber } from '../decimal.ts'
import { cloudResourceRate, storageRate } from '../pricing/cloud-resource-rate.ts'
import { KIB_PER_GIB } from '../units.ts'
import { anOwner, HOUR } from './builders.ts'
import { costCloudResource, costOverhead } from '../testing/cost-shares.ts'
import { totalUsd } from './cost-row.ts'
import { shareBalancer, shareVolume } from './share-cloud-resource.ts'

const hours = (from: number, to: number) => ({ from: from * 3600, to: to * 3600 })
const mount = (key: string, from: number, to: number) => ({ key, ...hours(from, to) })

test('a shared volume of $2 an hour: A alone for an hour, then A and B', () => {
  const sizeKib = 10 * KIB_PER_GIB
  const shares = shareVolume({ sizeKib, life: hours(0, 9) }, [mount('a', 1, 3), mount('b', 2, 3)], hours(1, 3))
  const rate = storageRate({ kind: 'per-disk', usdPerMonth: decimal('1460'), estimated: false }, sizeKib)

  const paid = [...shares.byUser].map(([key, quantity]) => [key, roundToNumber(chargeFor(quantity, rate).usd)])
  expect(paid).toEqual([
    ['a', 3],
    ['b', 1],
  ])
  expect(shares.unused).toBe(0n)
})

test('time without a mount is unmounted, on its own line', () => {
  const shares = shareVolume({ sizeKib: 100, life: hours(0, 4) }, [mount('a', 1, 2)], hours(0, 24))
  expect(shares).toMatchObject({ unused: 3n * 360_000n, total: 4n * 360_000n })

  const rows = costCloudResource(shares, cloudResourceRate(decimal('1'), { estimated: false }), 'storage', () =>
    anOwner(),
  )
  expect(rows.map(({ owner }) => owner.kind)).toEqual(['workload', 'unmounted'])
})

test('a pod that mounts a volume twice is one user', () => {
  const mounts = [mount('a', 0, 1), mount('a', 0, 1), mount('b', 0, 1)]
  const shares = shareVolume({ sizeKib: 100, life: HOUR }, mounts, HOUR)
  expect(Object.fromEntries(shares.byUser)).toEqual({ a: 180_000n, b: 180_000n })
})

test('a KiB that cannot be halved goes to the first user by name', () => {
  const shares = shareVolume({ sizeKib: 5, life: HOUR }, [mount('b', 0, 1), mount('a', 0, 1)], { from: 0, to: 1 })
  expect(Object.fromEntries(shares.byUser)).toEqual({ a: 3n, b: 2n })
})

test('a load balancer is split over its ready pods, and unattached without any', () => {
  const shares = shareBalancer(HOUR, [mount('a', 0, 0.5), mount('b', 0, 0.5)], HOUR)
  const rate = cloudResourceRate(decimal('0.0225'), { estimated: false })
  const rows = costCloudResource(shares, rate, 'loadBalancer', () => anOwner())

  expect(rows.map(({ charges }) => roundToNumber(charges.loadBalancer?.usd ?? 0n))).toEqual([
    0.005625, 0.005625, 0.01125,
  ])
  expect(rows[2]?.owner).toEqual({ kind: 'unattached' })
})

test('the fee of a control plane is overhead', () => {
  const row = costOverhead(hours(0, 730), cloudResourceRate(decimal('0.1'), { estimated: false }))
  expect(row.owner).toEqual({ kind: 'overhead' })
  expect(roundToNumber(totalUsd([row]))).toBe(73)
})
