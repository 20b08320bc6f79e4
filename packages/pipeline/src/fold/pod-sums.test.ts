import { NO_AMOUNTS, RESOURCES } from '@plimsoll/engine'
import { makeSpanColumns, writePod } from '@plimsoll/engine/allocation'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { lawRuns } from '../../../../test/rounds.ts'
import { aNodeClass } from '../../test/a-node-class.ts'
import { loadCheckpoint, saveCheckpoint } from '../../test/checkpoint.ts'
import { batchesOf, endSecond, minutes, smallWorld, type SmallWorld } from '../../test/small-world.ts'
import type { FoldedHour } from './finalise-hours.ts'
import { emptyFoldState } from './fold-state.ts'
import { Fold } from './fold.ts'
import { NumberRows } from './number-rows.ts'
import { addContainerSums, PodSums, podUseColumns, type FoldedPodSums } from './pod-sums.ts'

/** The hours of a world, written once; the process restarts after one of the batches. */
function foldedHours(world: SmallWorld, restartAfter: number): FoldedHour[] {
  let state = emptyFoldState(aNodeClass)
  let fold = new Fold(state)
  for (const [index, batch] of batchesOf(world).entries()) {
    fold.addBatch('a', batch)
    if (index !== restartAfter) continue
    state = loadCheckpoint(saveCheckpoint(state), aNodeClass)
    fold = new Fold(state)
  }
  return fold.takeEndedHours(endSecond)
}

const podsOf = ({ usage }: FoldedHour) => [...usage.measured, ...usage.bridged]

/** An empty list stands for the pod. */
const knownOf = ({ sums, containers }: Omit<FoldedPodSums, 'uid'>) =>
  Object.entries(containers).map(([name, own]) => [name, own.length === 0 ? sums.slice(1) : own] as const)

const columnSums = (rows: readonly (readonly number[])[]) =>
  (rows[0] ?? []).map((_value, column) => rows.reduce((sum, row) => sum + (row[column] ?? 0), 0))

test('the containers of a pod add up exactly to the pod, and its pods to the workload', () => {
  fc.assert(
    fc.property(smallWorld, fc.nat(minutes), (world, restartAfter) => {
      for (const hour of foldedHours(world, restartAfter)) {
        for (const pod of podsOf(hour))
          expect(columnSums(knownOf(pod).map(([, own]) => own))).toEqual(pod.sums.slice(1))
        for (const part of ['measured', 'bridged'] as const)
          for (const row of hour[part].workloads) {
            const [, ...sums] = columnSums(
              hour.usage[part]
                .filter(({ workloadName }) => workloadName === row.workloadName)
                .map(({ sums: own }) => own),
            )
            const expected = RESOURCES.flatMap((resource) => {
              const { request, usage, alloc, used, knownSeconds } = row.use[resource]
              return [request, usage, alloc, used, knownSeconds]
            })
            expect(sums).toEqual(expected)
          }
      }
    }),
    lawRuns(30),
  )
})

test('each container has its own request for the seconds of the pod', () => {
  fc.assert(
    fc.property(smallWorld, fc.nat(minutes), (world, restartAfter) => {
      for (const pod of foldedHours(world, restartAfter).flatMap(podsOf)) {
        const { resize, containers = [] } = world.pods.find(({ uid }) => uid === pod.uid) ?? {}
        const own = Object.fromEntries(knownOf(pod))
        expect(Object.keys(own).sort()).toEqual(containers.map(({ name }) => name).sort())
        for (const { name, millicores, kib } of containers) {
          const at = (use: (typeof podUseColumns)[number]) => podUseColumns.indexOf(use)
          const memory = own[name]?.[podUseColumns.length + at('request')]
          expect(memory).toBe(kib * (pod.sums[0] ?? 0))
          if (!resize) expect(own[name]?.[at('request')]).toBe(millicores * 1000 * (pod.sums[0] ?? 0))
        }
      }
    }),
    lawRuns(30),
  )
})

test('hours that are written in parts have the containers of hours that are written once', () => {
  let mergedPods = 0
  fc.assert(
    fc.property(smallWorld, fc.nat(50), fc.integer({ min: 1, max: 9 }), (world, first, length) => {
      const isLate = (minute: number) => minute >= first && minute < first + length
      const early = batchesOf(world, { isLost: (_node, minute) => isLate(minute) })
      const late = batchesOf(world, { firstRef: 1000, isLost: (_node, minute) => !isLate(minute) })
      const fold = new Fold(emptyFoldState(aNodeClass))
      const written = [...early.map((batch) => ['a', batch] as const), ...late.map((batch) => ['b', batch] as const)]
      const parts = written.flatMap(([epoch, batch]) => {
        fold.addBatch(epoch, batch)
        return fold.takeEndedHours(batch.observed_at)
      })
      const pods = new Map<string, Omit<FoldedPodSums, 'uid'>>()
      for (const { hour, usage } of parts)
        for (const { uid, ...added } of usage.measured) {
          const before = pods.get(`${hour} ${uid}`)
          if (before && Object.keys(added.containers).length > 1) mergedPods += 1
          pods.set(`${hour} ${uid}`, {
            sums: before ? columnSums([before.sums, added.sums]) : added.sums,
            containers: before ? addContainerSums(before, added) : added.containers,
          })
        }
      for (const { hour, usage } of foldedHours(world, -1))
        for (const { uid, ...whole } of usage.measured) {
          const pod = pods.get(`${hour} ${uid}`) ?? { sums: [], containers: {} }
          expect([uid, Object.fromEntries(knownOf(pod))]).toEqual([uid, Object.fromEntries(knownOf(whole))])
        }
    }),
    // Fewer worlds have no pod with several containers in both parts.
    { numRuns: 25 },
  )
  expect(mergedPods).toBeGreaterThan(0)
})

test('a checkpoint of an earlier version keeps the quantities of its pods, of no container', () => {
  const before = new NumberRows(1 + RESOURCES.length * podUseColumns.length)
  before.push()
  for (let column = 0; column < 16; column += 1) before.add(0, column, 100 + column)
  const pods = new PodSums()
  pods.load({ uids: ['pod-0'], rows: before.save() })
  expect(pods.rows).toEqual([
    { uid: 'pod-0', sums: Array.from({ length: 16 }, (_each, at) => 100 + at), containers: { '(pod)': [] } },
  ])
  const containers = [{ name: 'app', request: { cpu: 5, memory: 7, gpu: 0 } }]
  const columns = makeSpanColumns(1)
  writePod(columns, { uid: 'pod-0', request: { containers, pod: NO_AMOUNTS }, usage: new Map(), from: 0, to: 60 })
  pods.add(columns, { uid: 'pod-0', containers, firstRow: 0, lastRow: 1, seconds: 60 })
  const [row] = pods.rows
  expect(row?.sums.slice(0, 2)).toEqual([160, 101 + 300])
  expect(row?.containers['(pod)']).toEqual(Array.from({ length: 15 }, (_each, at) => 101 + at))
  expect(row?.containers.app?.slice(0, 2)).toEqual([300, 0])
})
