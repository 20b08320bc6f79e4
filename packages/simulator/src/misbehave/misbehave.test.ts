import { digestOf, type EncodedBatch, minuteOf } from '@plimsoll/agent'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { batchesOf, START_MINUTE } from '../../test/a-scenario.ts'
import { factSet } from '../../test/fact-set.ts'
import { fullSize, largeScenario } from '../scenarios/large-scenario.ts'
import { addSecondAgent, changeEpoch, resplit, skewClock } from './agents.ts'
import { corruptBytes, truncateBodies, truncatePart } from './damage.ts'
import { dropMinutes, dropSome, duplicate, reorder } from './delivery.ts'

const scenario = largeScenario({ ...fullSize, nodes: 6, workloads: 40, churnPerHour: 5 })
const batches = batchesOf(scenario, 70, { objectsMax: 80 })
const idsOf = (some: readonly EncodedBatch[]) => some.map(({ headers }) => headers['plimsoll-batch-id'])
const epochsOf = (some: readonly EncodedBatch[]) => [...new Set(some.map(({ headers }) => headers['plimsoll-epoch']))]
const atMinute = START_MINUTE + 25

test.each([
  ['doubled', duplicate(batches, { seed: 1, share: 0.3 })],
  ['out of order', reorder(batches, { seed: 1, window: 12 })],
  ['cut otherwise', resplit(batches, { seed: 1, epoch: 'other' })],
  ['of two epochs', changeEpoch(batches, { atMinute, epoch: 'other' })],
  ['of two agents', addSecondAgent(batches, { fromMinute: atMinute, epoch: 'other' })],
])('batches %s have the same facts', (_name, changed) => {
  expect(idsOf(changed)).not.toEqual(idsOf(batches))
  expect(factSet(changed)).toEqual(factSet(batches))
})

test('the same seed gives the same misbehaviour', () => {
  const change = (seed: number) => {
    const some = duplicate(dropSome(batches, { seed, share: 0.1 }), { seed, share: 0.2 })
    return idsOf(reorder(some, { seed, window: 9 }))
  }
  expect(change(3)).toEqual(change(3))
  expect(change(3)).not.toEqual(change(4))
})

test('no batch is moved further than the window', () => {
  const places = idsOf(reorder(batches, { seed: 2, window: 5 })).map((id) => idsOf(batches).indexOf(id))
  expect(Math.max(...places.map((place, index) => Math.abs(place - index)))).toBeLessThanOrEqual(5)
})

test('a gap removes exactly its minutes', () => {
  const left = dropMinutes(batches, { fromMinute: atMinute, minutes: 20 }).map(minuteOf)
  const all = batches.map(minuteOf)
  expect(left).toEqual(all.filter((minute) => minute < atMinute || minute >= atMinute + 20))
  expect(all.length - left.length).toBe(20)
})

test('a change of epoch begins with a snapshot and counts from 1', () => {
  const later = changeEpoch(batches, { atMinute, epoch: 'other' }).filter(
    ({ headers }) => headers['plimsoll-epoch'] === 'other',
  )
  expect(later[0]?.headers).toMatchObject({
    'plimsoll-seq': '1',
    'plimsoll-part': expect.stringMatching(/^1\//) as string,
  })
  expect(minuteOf(later[0] ?? ({} as EncodedBatch))).toBe(atMinute)
})

test('two agents report the same minutes under two epochs', () => {
  const both = addSecondAgent(batches, { fromMinute: atMinute, epoch: 'other' })
  expect(epochsOf(both)).toHaveLength(2)
  const minutes = both.filter(({ headers }) => headers['plimsoll-part'] === undefined).map(minuteOf)
  expect(minutes.filter((minute) => minute === atMinute + 3)).toHaveLength(2)
  expect(minutes.filter((minute) => minute === atMinute - 3)).toHaveLength(1)
})

test('other cuts give other batches: some have parts of a minute, some have several minutes', () => {
  const cut = resplit(batches, { seed: 5, epoch: 'other' })
  const bodies = cut.map(({ body }) => JSON.parse(gunzipSync(body).toString()) as { minutes: { minute: number[] } })
  const spans = bodies.map(({ minutes }) => new Set(minutes.minute).size)
  expect(spans).toContain(1)
  expect(Math.max(...spans)).toBeGreaterThan(1)
})

test('a wrong clock shifts every time', () => {
  const moved = skewClock(batches.slice(0, 8), { seconds: 7200 })
  expect(moved.map(minuteOf)).toEqual(batches.slice(0, 8).map((batch) => minuteOf(batch) + 120))
  expect(skewClock(moved, { seconds: -7200 })).toEqual(batches.slice(0, 8))
})

test('damage is detected: flipped bytes by the digest, truncated bodies on decompression', () => {
  const flipped = corruptBytes(batches, { seed: 1, share: 0.2 })
  const wrong = flipped.filter(({ headers, body }) => headers['content-digest'] !== digestOf(body))
  expect(wrong.length).toBeGreaterThan(5)
  expect(wrong.length).toBeLessThan(25)
  const cut = truncateBodies(batches, { seed: 1, share: 1 })
  for (const { headers, body } of cut) {
    expect(headers['content-digest']).toBe(digestOf(body))
    expect(() => gunzipSync(body)).toThrow()
  }
})

test('one part of a snapshot is truncated, and nothing else', () => {
  const cut = truncatePart(batches, { seed: 4 })
  const changed = cut.filter((batch, index) => batch !== batches[index])
  expect(changed).toHaveLength(1)
  expect(changed[0]?.headers['plimsoll-part']).toMatch(/^\d\/\d$/)
})
