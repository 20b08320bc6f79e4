import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { scriptedObserver, START } from '../../test/scripted-observer.ts'
import { Recorder } from '../../test/recorder.ts'
import { useDirectory } from '../../test/use-directory.ts'
import { deltaOf, EpochWriter } from '../shape/epoch-writer.ts'
import { Outbox } from './outbox.ts'

const directory = useDirectory()
const bytesMax = 1e7

async function openOutbox(options: { bytesMax?: number; segmentBytes?: number } = {}): Promise<Outbox> {
  const outbox = await Outbox.open({ directory: directory.path, ...options })
  // Closed only after the directory is deleted, because a killed process closes nothing.
  onTestFinished(() => outbox.close().catch(() => undefined))
  return outbox
}

/** Writes the given number of minutes, with a snapshot before the first. */
async function write(outbox: Outbox, epoch: string, minutes: number, from = 0): Promise<void> {
  const observer = scriptedObserver()
  const writer = new EpochWriter({ agent: () => observer.facts(), epoch })
  outbox.beginEpoch(epoch)
  const batches = [
    ...writer.snapshot(observer.living(START), START),
    ...Array.from({ length: minutes }, (_each, index) =>
      writer.delta(deltaOf(observer.takeMinute(START / 60 + from + index)), START + 60 * (from + index + 1)),
    ).flat(),
  ]
  for (const [index, batch] of batches.entries()) {
    const { snapshot, observed_at: observedAt } = batch
    const head = { epoch, seq: index + 1, clusterUid: 'uid', observedAt, ...(snapshot ? { snapshot } : {}) }
    await outbox.append(head, gzipSync(JSON.stringify(batch)))
  }
}

async function sendAll(outbox: Outbox, recorder: Recorder, encodedBytesMax = bytesMax): Promise<string[]> {
  const sent: string[] = []
  for (;;) {
    const id = await sendOne(outbox, recorder, encodedBytesMax)
    if (id === undefined) return sent
    sent.push(id)
  }
}

async function sendOne(outbox: Outbox, recorder: Recorder, encodedBytesMax = bytesMax): Promise<string | undefined> {
  const next = await outbox.next(encodedBytesMax)
  if (!next) return undefined
  const { headers, body } = next.encoded
  expect(recorder.receive(headers as unknown as Record<string, string>, body).status).toBe(202)
  await outbox.accepted(next)
  return headers['plimsoll-batch-id']
}

test('the live epoch goes first, one minute per batch; older epochs send five minutes per batch', async () => {
  const outbox = await openOutbox()
  const recorder = new Recorder()
  await write(outbox, 'old', 12)
  await write(outbox, 'new', 2, 12)
  // A snapshot, then batches of five, five and two minutes.
  expect(await sendAll(outbox, recorder)).toEqual(['new-1', 'new-2', 'new-3', 'old-1', 'old-2', 'old-3', 'old-4'])
  expect([...recorder.minutes().values()]).toEqual(Array(14).fill(1))
})

test('after a crash at any time the same bytes are sent with the same sequence numbers', async () => {
  await write(await openOutbox(), 'old', 23)
  const recorder = new Recorder()
  let rounds = 0
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.integer({ min: 300, max: 2000 }), async (isAnswerHeard, encodedBytesMax) => {
      rounds += 1
      // The last outbox is still open.
      const outbox = await openOutbox()
      const next = await outbox.next(encodedBytesMax)
      if (!next) return
      const { headers, body } = next.encoded
      expect(recorder.receive(headers as unknown as Record<string, string>, body).status).toBe(202)
      if (isAnswerHeard) await outbox.accepted(next)
    }),
    { numRuns: 80 },
  )
  await sendAll(await openOutbox(), recorder)
  expect(rounds).toBe(80)
  expect([...recorder.minutes().values()]).toEqual(Array(23).fill(1))
  expect(recorder.gaps()).toEqual([])
})

test('split into the smallest pieces, nothing is lost and a snapshot stays complete', async () => {
  const outbox = await openOutbox()
  const recorder = new Recorder()
  await write(outbox, 'epoch', 3)
  await sendAll(outbox, recorder, 1)
  expect(recorder.gaps()).toEqual([])
  expect([...recorder.minutes().values()]).toEqual([1, 1, 1])
  const parts = [...recorder.kept.values()].flatMap(({ part }) => part ?? [])
  expect(parts.at(-1)).toBe(`${parts.length}/${parts.length}`)
  expect(parts.length).toBeGreaterThan(2)
})

test('above the size limit the oldest records are dropped and counted, and the server sees the gap', async () => {
  const outbox = await openOutbox({ bytesMax: 20_000, segmentBytes: 2000 })
  const recorder = new Recorder()
  await write(outbox, 'old', 60)
  expect(outbox.losses.dropped).toBeGreaterThan(0)
  expect(outbox.bytes).toBeLessThanOrEqual(20_000)
  await sendAll(outbox, recorder)
  expect(recorder.gaps().length).toBeGreaterThan(0)
  expect(Math.max(...recorder.minutes().keys())).toBe(START / 60 + 59)
})

test('a partly sent record that is dropped blocks nothing, and no sequence number is used twice', async () => {
  const recorder = new Recorder()
  const outbox = await openOutbox({ segmentBytes: 1 })
  await write(outbox, 'old', 7)
  const { bytes } = outbox
  // One piece of the snapshot has arrived, and another one may have arrived.
  for (let count = 0; count < 2; count += 1) {
    const whole = await outbox.next(bytesMax)
    expect(whole && (await outbox.cut(whole))).toBe(true)
  }
  await sendOne(outbox, recorder)
  await outbox.close()

  const again = await openOutbox({ segmentBytes: 1, bytesMax: bytes + 50 })
  await write(again, 'new', 0)
  expect(again.losses.dropped).toBe(1)
  expect(await sendAll(again, recorder)).toEqual(['new-1', 'old-3', 'old-4'])
  expect(recorder.gaps()).toEqual(['old-2'])
  expect(recorder.minutes().size).toBe(7)
})

test('if planned minutes were cut and some are lost, the remaining minutes are sent complete', async () => {
  const recorder = new Recorder()
  const outbox = await openOutbox({ segmentBytes: 1 })
  await write(outbox, 'old', 7)
  const { bytes } = outbox
  await write(outbox, 'new', 0)
  for (let count = 0; count < 2; count += 1) await sendOne(outbox, recorder)
  const joined = await outbox.next(bytesMax)
  expect(joined && (await outbox.cut(joined))).toBe(true)
  await sendOne(outbox, recorder)
  await outbox.close()

  const again = await openOutbox({ segmentBytes: 1, bytesMax: bytes })
  await write(again, 'newer', 0)
  const { dropped } = again.losses
  expect(dropped).toBeGreaterThan(0)
  expect(dropped).toBeLessThan(5)
  const sent = await sendAll(again, recorder)
  expect(sent.flatMap((id) => recorder.kept.get(id)?.minutes ?? [])).toEqual(
    Array.from({ length: 7 - dropped }, (_each, index) => START / 60 + dropped + index),
  )
  expect(recorder.gaps()).toEqual(['old-3'])
})

test('a record without a batch counts as damaged when it would be joined, and the rest continues', async () => {
  const outbox = await openOutbox()
  const recorder = new Recorder()
  await write(outbox, 'old', 3)
  const head = { epoch: 'old', seq: 5, clusterUid: 'uid', observedAt: START + 240 }
  await outbox.append(head, Buffer.from('no batch'))
  await write(outbox, 'new', 0)
  expect(await sendAll(outbox, recorder)).toEqual(['new-1', 'old-1', 'old-3'])
  expect(outbox.losses.damaged).toBe(1)
  expect([...recorder.minutes().values()]).toEqual([1, 1, 1])
})

test('damage at any byte of the log loses some records, counts them, and blocks nothing', async () => {
  const recorder = new Recorder()
  const outbox = await openOutbox({ segmentBytes: 3000 })
  await write(outbox, 'old', 20)
  await outbox.close()
  const names = (await readdir(directory.path)).filter((name) => name.endsWith('.log')).sort()
  const [name = ''] = names.slice(1)
  const whole = await readFile(join(directory.path, name))
  const kept: number[] = []
  for (let at = 0; at < whole.length; at += 97) {
    const damaged = Buffer.from(whole)
    damaged[at] = (damaged[at] ?? 0) ^ 0x55
    await writeFile(join(directory.path, name), damaged)
    const again = await openOutbox()
    const { live, backlog } = again.pending()
    expect(again.losses.damaged).toBe(21 - live - backlog)
    expect(again.losses.damaged).toBeGreaterThan(0)
    kept.push(live + backlog)
    await again.close()
    await writeFile(join(directory.path, name), whole)
  }
  expect(Math.min(...kept)).toBeGreaterThan(10)
  await sendAll(await openOutbox(), recorder)
  expect(recorder.minutes().size).toBe(20)
})
