import { decodeBatch, type EncodedBatch } from '@plimsoll/agent'
import { BatchReader } from '@plimsoll/contract'
import { expect, test } from 'vitest'
import { azureOffice } from '../scenarios/azure-office.ts'
import { gcpPlatform } from '../scenarios/gcp-platform.ts'
import { openWorld } from '../world/world.ts'
import { historyBatches } from './history-batches.ts'

const fromHour = 490_000
const toHour = fromHour + 12
const open = () => openWorld(azureOffice, fromHour * 3600)
const batchesWith = (options = {}) => [...historyBatches(open(), { fromHour, toHour, hoursPerBatch: 5, ...options })]
const readers = (batches: EncodedBatch[]) => batches.map((each) => new BatchReader(decodeBatch(each).batch))

test('history is backfill of one epoch, numbered from 1, every hour once and in order', () => {
  const batches = batchesWith()
  expect(batches.map(({ headers }) => headers['plimsoll-kind'])).toEqual(['backfill', 'backfill', 'backfill'])
  expect(batches.map(({ headers }) => headers['plimsoll-seq'])).toEqual(['1', '2', '3'])
  expect(new Set(batches.map(({ headers }) => headers['plimsoll-epoch'])).size).toBe(1)
  const hours = readers(batches).flatMap((reader) => reader.nodeHours().map(({ hour }) => hour))
  expect([...new Set(hours)]).toEqual(Array.from({ length: 12 }, (_, index) => fromHour + index))
})

test('a reader rejects nothing, and every node has each of its hours once', () => {
  const all = readers(batchesWith())
  const nodeHours = all.flatMap((reader) => reader.nodeHours().map(({ nodeRef, hour }) => `${nodeRef} ${hour}`))
  all.forEach((reader) => {
    reader.usageHours()
    expect(reader.rejections).toEqual([])
  })
  expect(new Set(nodeHours).size).toBe(nodeHours.length)
})

test('every row refers to pods and nodes of earlier rows', () => {
  const refs = new Set<number>()
  for (const reader of readers(batchesWith())) {
    for (const { ref } of [...reader.nodes(), ...reader.pods()]) refs.add(ref)
    for (const { nodeRef, samples } of reader.nodeHours()) {
      expect(refs).toContain(nodeRef)
      for (const { podRef } of samples) expect(refs).toContain(podRef)
    }
  }
})

test('histograms have as many minutes as the pods lived', () => {
  const usage = readers(batchesWith()).flatMap((reader) => reader.usageHours())
  const erp = usage.filter(({ workloadName, container }) => workloadName === 'erp' && container === 'erp')
  // Three replicas for the whole time.
  expect(erp).toHaveLength(12)
  for (const { podSeconds, cpu, memory } of erp) {
    expect(podSeconds).toBeGreaterThanOrEqual(3 * 3600)
    for (const { podMinutes } of [cpu, memory]) {
      expect(podMinutes.reduce((sum, minutes) => sum + minutes, 0) * 60).toBe(podSeconds)
    }
  }
})

test('throttling is sent for every hour, and only for containers with a CPU limit', () => {
  const batches = [...historyBatches(openWorld(gcpPlatform, fromHour * 3600), { fromHour, toHour, everyMinutes: 10 })]
  const usage = readers(batches).flatMap((reader) => reader.usageHours())
  const throttled = usage.filter(({ throttling }) => throttling !== undefined)
  expect(new Set(throttled.map(({ workloadName }) => workloadName))).toEqual(new Set(['thumbnails']))
  expect(throttled).toHaveLength(12)
  // Two pods with ten periods per second.
  for (const { throttling } of throttled) expect(throttling?.periods).toBeLessThanOrEqual(72_000)
  expect(throttled.some(({ throttling }) => (throttling?.throttledPeriods ?? 0) > 0)).toBe(true)
})

test('a longer sample interval does not change the world', () => {
  const [seldom, often] = [open(), open()]
  for (const _ of historyBatches(seldom, { fromHour, toHour, everyMinutes: 30 })) void _
  for (const _ of historyBatches(often, { fromHour, toHour, everyMinutes: 1 })) void _
  expect(seldom.living()).toEqual(often.living())
})
