import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RESOURCES } from '../units.ts'
import { allocateNode } from './allocate-node.ts'
import { aNode, aPodSpan, HOUR, type Size } from '../allocation/builders.ts'
import type { PodSpan } from '../allocation/pod-span.ts'

/** Average cores charged to each pod, by uid, and the rest. */
function coresOf(node: Parameters<typeof aNode>[0], pods: readonly PodSpan[], window = HOUR) {
  const { containers, node: whole } = allocateNode(aNode(node), pods, window)
  const toCores = (microcoreSeconds: number) => microcoreSeconds / 1e6 / (window.to - window.from)
  const byUid: Record<string, { alloc: number; used: number }> = {}
  for (const { uid, container, use } of containers) {
    const name = container === 'app' ? uid : `${uid} ${container}`
    byUid[name] = { alloc: toCores(use.cpu.alloc), used: toCores(use.cpu.used) }
  }
  return { byUid, idle: toCores(whole.cpu.clusterIdle), reserved: toCores(whole.cpu.systemReserved) }
}

const pod = (uid: string, requests: Size, uses?: Size) => aPodSpan({ uid, requests, ...(uses ? { uses } : {}) })

test('requested but unused capacity is charged to the pod that requested it', () => {
  const { byUid, idle } = coresOf({ cores: 4 }, [pod('a', { cores: 2 }, { cores: 0.5 })])
  expect(byUid).toEqual({ a: { alloc: 2, used: 0.5 } })
  expect(idle).toBe(2)
})

test('the bursting pod pays for a burst into free capacity', () => {
  const { byUid, idle } = coresOf({ cores: 4 }, [pod('a', { cores: 1 }, { cores: 3 })])
  expect(byUid).toEqual({ a: { alloc: 3, used: 3 } })
  expect(idle).toBe(1)
})

test('a burst never takes the reservation of another container', () => {
  const { byUid, idle } = coresOf({ cores: 4 }, [
    pod('a', { cores: 2 }, { cores: 0.2 }),
    pod('b', { cores: 1 }, { cores: 3 }),
    pod('c', { cores: 0.5 }, { cores: 0.5 }),
    pod('d', { cores: 0.5 }, { cores: 0.3 }),
  ])
  expect(Object.values(byUid).map(({ alloc }) => alloc)).toEqual([2, 1, 0.5, 0.5])
  expect(idle).toBe(0)
})

test('bursts that do not all fit share the free capacity in proportion', () => {
  const { byUid, idle } = coresOf({ cores: 4 }, [
    pod('a', { cores: 1 }, { cores: 4 }),
    pod('b', { cores: 1 }, { cores: 2 }),
  ])
  // Two free cores for bursts of three and one: f is a half.
  expect(byUid).toEqual({ a: { alloc: 2.5, used: 2.5 }, b: { alloc: 1.5, used: 1.5 } })
  expect(idle).toBe(0)
})

test('an over-committed node is split in proportion to the requests', () => {
  const { byUid, idle } = coresOf({ cores: 4 }, [
    pod('a', { cores: 6 }, { cores: 1 }),
    pod('b', { cores: 2 }, { cores: 3 }),
  ])
  expect(byUid).toEqual({ a: { alloc: 3, used: 1 }, b: { alloc: 1, used: 1 } })
  expect(idle).toBe(0)
})

test('unmeasured usage counts as used, not as idle', () => {
  const { byUid } = coresOf({ cores: 4 }, [pod('a', { cores: 2 })])
  expect(byUid).toEqual({ a: { alloc: 2, used: 2 } })
})

test('the rounding rest is a few millionths of a core, and idle', () => {
  const sevenths = Array.from({ length: 7 }, (_, index) => pod(`p${index}`, { cores: 0 }, { cores: 1 }))
  const { node } = allocateNode(aNode({ cores: 1 }), sevenths, { from: 0, to: 1 })
  // ⌊1,000,000 / 7⌋ seven times is 999,999.
  expect(node.cpu).toMatchObject({ alloc: 999_999, clusterIdle: 1 })
})

test('system-reserved capacity is part of idle, and bursts may borrow from it', () => {
  const node = { cores: 4, allocatable: { cores: 3.5, gib: 8 } }
  expect(coresOf(node, [pod('a', { cores: 1 }, { cores: 1 })])).toMatchObject({ idle: 3, reserved: 0.5 })
  expect(coresOf(node, [pod('a', { cores: 1 }, { cores: 3.75 })])).toMatchObject({ idle: 0.25, reserved: 0.25 })
})

test('a pod pays no burst within its own reservation beyond its containers', () => {
  const inflated = aPodSpan({ uid: 'a', requests: { cores: 1 }, uses: { cores: 2.5 }, beyond: { cores: 2 } })
  const { byUid, idle } = coresOf({ cores: 4 }, [inflated])
  expect(byUid).toEqual({ a: { alloc: 1, used: 1 }, 'a (pod)': { alloc: 2, used: 1.5 } })
  expect(idle).toBe(1)
})

test('usage beyond the reservation of a pod is a burst of its (pod) row', () => {
  const inflated = aPodSpan({ uid: 'a', requests: { cores: 1 }, uses: { cores: 3.5 }, beyond: { cores: 2 } })
  expect(coresOf({ cores: 4 }, [inflated]).byUid['a (pod)']).toEqual({ alloc: 2.5, used: 2.5 })
})

test('a GPU is charged by request, busy or not', () => {
  const busy = aPodSpan({ uid: 'a', requests: { gpus: 1 }, uses: { gpus: 2 } })
  const lazy = aPodSpan({ uid: 'b', requests: { gpus: 1 }, uses: { gpus: 0.25 } })
  const { containers, node } = allocateNode(aNode({ gpus: 4 }), [busy, lazy], { from: 0, to: 1 })
  expect(containers.map(({ use }) => use.gpu.alloc)).toEqual([5_040_000, 5_040_000])
  expect(containers.map(({ use }) => use.gpu.used)).toEqual([5_040_000, 1_260_000])
  expect(node.gpu.clusterIdle).toBe(2 * 5_040_000)
})

test('a pod that lived 40 seconds costs 40 seconds', () => {
  const { containers } = allocateNode(aNode(), [aPodSpan({ requests: { cores: 1 }, from: 100, to: 140 })], HOUR)
  expect(containers[0]).toMatchObject({ seconds: 40, use: { cpu: { alloc: 40_000_000 } } })
})

test('time is cut at every change: the second pod finds less free capacity', () => {
  const { byUid, idle } = coresOf({ cores: 2 }, [
    aPodSpan({ uid: 'a', requests: { cores: 1 }, uses: { cores: 2 } }),
    aPodSpan({ uid: 'b', requests: { cores: 1 }, uses: { cores: 1 }, from: 1800 }),
  ])
  // For half an hour a bursts to two cores, then it is back at one.
  expect(byUid).toEqual({ a: { alloc: 1.5, used: 1.5 }, b: { alloc: 0.5, used: 0.5 } })
  expect(idle).toBe(0)
})

test('nothing is charged outside the lifetime of the node', () => {
  const { containers, node } = allocateNode(aNode({ cores: 1, life: { from: 600, to: 1200 } }), [aPodSpan()], HOUR)
  expect(containers[0]?.seconds).toBe(600)
  expect(node.cpu.capacity).toBe(600_000_000)
})

test('classes are exact and never negative, for any size', () => {
  const amount = fc.oneof(fc.nat(1e9), fc.integer({ min: 0, max: 2 ** 45 }))
  const span = fc.record({ request: amount, usage: fc.option(amount, { nil: undefined }) })
  fc.assert(
    fc.property(amount, fc.array(span, { maxLength: 40 }), (capacity, spans) => {
      const pods = spans.map(({ request, usage }, index) => {
        const sizes = { cpu: request, memory: request, gpu: request }
        const seen = usage === undefined ? [] : [['app', { cpu: usage, memory: usage, gpu: usage }] as const]
        const base = aPodSpan({ uid: String(index), from: 0, to: 1 })
        return {
          ...base,
          request: { ...base.request, containers: [{ name: 'app', request: sizes }] },
          usage: new Map(seen),
        }
      })
      const sizes = { cpu: capacity, memory: capacity, gpu: capacity }
      const { containers, node } = allocateNode({ ...aNode(), capacity: sizes, allocatable: sizes }, pods, {
        from: 0,
        to: 1,
      })
      for (const resource of RESOURCES) {
        const { alloc, used, clusterIdle } = node[resource]
        expect(used + (alloc - used) + clusterIdle).toBe(capacity)
        expect(Math.min(clusterIdle, alloc - used, used)).toBeGreaterThanOrEqual(0)
        expect(containers.every(({ use }) => Number.isSafeInteger(use[resource].alloc))).toBe(true)
      }
    }),
  )
})
