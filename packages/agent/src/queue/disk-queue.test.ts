import { appendFile, mkdtemp, open, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { failingDisk } from '../../test/failing-disk.ts'
import { DiskQueue, type QueueOptions } from './disk-queue.ts'
import { readPointer, writePointer } from './pointer-file.ts'
import { lawRuns } from '../../../../test/rounds.ts'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plimsoll-queue-'))
})
afterEach(async () => {
  for (const queue of opened.splice(0)) await queue.close().catch(() => undefined)
  await rm(directory, { recursive: true, force: true })
})

/** Queues that a test left open, like a killed process. */
const opened: DiskQueue[] = []

async function openQueue(options: Omit<QueueOptions, 'directory'> = {}): Promise<DiskQueue> {
  const queue = await DiskQueue.open({ directory, ...options })
  opened.push(queue)
  return queue
}

const text = (value: string) => Buffer.from(value)

async function contents(queue: DiskQueue): Promise<string[]> {
  const read: string[] = []
  for (const position of queue.positions()) read.push(String(await queue.read(position)))
  return read
}

const logs = async () => (await readdir(directory)).filter((name) => name.endsWith('.log')).sort()

test('appended records are read in order, and acknowledged records are gone', async () => {
  const queue = await openQueue()
  expect([await queue.append(text('a')), await queue.append(text('b')), await queue.append(text('c'))]).toEqual([
    1, 2, 3,
  ])
  await queue.acknowledge(2)
  expect(queue.positions()).toEqual([1, 3])
  expect(await contents(queue)).toEqual(['a', 'c'])
  expect(await queue.read(2)).toBeUndefined()
})

test('another process finds the same records without a close, and continues the positions', async () => {
  const queue = await openQueue()
  await queue.append(text('a'))
  await queue.append(text('b'))
  const again = await openQueue()
  expect(await contents(again)).toEqual(['a', 'b'])
  expect(await again.append(text('c'))).toBe(3)
  expect(await contents(await openQueue())).toEqual(['a', 'b', 'c'])
})

test('positions continue after everything was acknowledged and all files were deleted', async () => {
  const queue = await openQueue({ segmentBytes: 1 })
  for (const each of ['a', 'b', 'c']) await queue.acknowledge(await queue.append(text(each)))
  expect((await logs()).length).toBeLessThanOrEqual(1)
  const again = await openQueue()
  expect(again.positions()).toEqual([])
  expect(await again.append(text('d'))).toBe(4)
})

test('above the size limit the oldest records are dropped and counted', async () => {
  const queue = await openQueue({ segmentBytes: 40, bytesMax: 100 })
  for (let each = 0; each < 20; each += 1) await queue.append(text(`record ${String(each).padStart(2, '0')}`))
  expect(queue.bytes).toBeLessThanOrEqual(100)
  const kept = await contents(queue)
  expect(kept.at(-1)).toBe('record 19')
  expect(queue.losses).toEqual({ dropped: 20 - kept.length, damaged: 0 })
})

test('after a restart, records acknowledged out of order do not count as missing, and lost records do', async () => {
  const queue = await openQueue({ segmentBytes: 1 })
  for (const each of ['a', 'b', 'c', 'd', 'e', 'f']) await queue.append(text(each))
  // Live data is acknowledged first; older records wait.
  for (const position of [2, 3, 5]) await queue.acknowledge(position)
  const again = await openQueue({ segmentBytes: 1 })
  expect(again.losses).toEqual({ dropped: 0, damaged: 0 })
  expect(again.positions()).toEqual([1, 4, 6])
  await again.acknowledge(6)
  expect(await again.append(text('g'))).toBe(7)
  await rm(join(directory, '0000000000000004.log'))
  const third = await openQueue({ segmentBytes: 1 })
  expect(third.losses).toEqual({ dropped: 0, damaged: 1 })
  expect(await contents(third)).toEqual(['a', 'g'])
})

test('acknowledged records do not return if their file could not be deleted, and are noted once', async () => {
  const disk = failingDisk()
  const stuck = { ...disk.files, rm: () => Promise.reject(new Error('EBUSY: made up')) }
  const queue = await openQueue({ segmentBytes: 1, files: stuck })
  for (const each of ['a', 'b', 'c', 'd']) await queue.append(text(each))
  // Each acknowledgement retries the deletion.
  for (const position of [2, 2, 3]) await expect(queue.acknowledge(position)).rejects.toThrow('EBUSY')
  const still = await openQueue({ segmentBytes: 1, files: stuck })
  expect(await contents(still)).toEqual(['a', 'd'])
  const ranges = [
    { first: 2, end: 3 },
    { first: 3, end: 4 },
  ]
  expect(await readPointer(directory)).toEqual({ through: 0, removed: ranges })
  expect((await readFile(join(directory, 'pointer'))).length).toBe(8 + 5 * 8)
  expect(await logs()).toHaveLength(4)
  const again = await openQueue({ segmentBytes: 1 })
  expect(await contents(again)).toEqual(['a', 'd'])
  expect(again.losses).toEqual({ dropped: 0, damaged: 0 })
  expect(await logs()).toEqual(['0000000000000001.log', '0000000000000004.log'])
})

test('damage in an acknowledged file that could not be deleted loses no data', async () => {
  const files = { open, rm: () => Promise.reject(new Error('EBUSY: made up')) }
  const queue = await openQueue({ segmentBytes: 20, files })
  for (const each of ['a', 'b', 'c', 'd', 'e']) await queue.append(text(each))
  await queue.acknowledge(3)
  await expect(queue.acknowledge(4)).rejects.toThrow('EBUSY')
  await truncate(join(directory, '0000000000000003.log'), 10)
  const again = await openQueue()
  expect(again.losses).toEqual({ dropped: 0, damaged: 0 })
  expect(await contents(again)).toEqual(['a', 'b', 'e'])
})

test('a range that was noted twice hides no missing records', async () => {
  const queue = await openQueue({ segmentBytes: 1 })
  for (const each of ['a', 'b', 'c', 'd']) await queue.append(text(each))
  const range = { first: 2, end: 3 }
  await writePointer(directory, { through: 0, removed: [range, range] }, open)
  for (const gone of [2, 3]) await rm(join(directory, `000000000000000${gone}.log`))
  expect((await openQueue()).losses).toEqual({ dropped: 0, damaged: 1 })
})

test('a record larger than a file gets its own file', async () => {
  const queue = await openQueue({ segmentBytes: 16 })
  await queue.append(text('x'.repeat(1000)))
  await queue.append(text('small'))
  expect((await logs()).length).toBe(2)
  expect((await contents(await openQueue())).map(({ length }) => length)).toEqual([1000, 5])
})

test('after a cut at any byte, every earlier record is complete and new records can be appended', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 40 }), { minLength: 1, maxLength: 6 }), fc.nat(), cutAnywhere),
    lawRuns(60),
  )
})

async function cutAnywhere(records: Uint8Array[], seed: number): Promise<void> {
  await rm(directory, { recursive: true, force: true })
  const queue = await openQueue()
  for (const record of records) await queue.append(record)
  const [name = ''] = await logs()
  const path = join(directory, name)
  const whole = (await readFile(path)).length
  const cut = seed % (whole + 1)
  await truncate(path, cut)
  let end = 0
  const left = records.filter(({ length }) => (end += 8 + length) <= cut)
  const again = await openQueue()
  expect(again.positions()).toEqual(left.map((_each, index) => index + 1))
  expect(await again.append(text('more'))).toBe(left.length + 1)
  expect(await contents(await openQueue())).toEqual([...left.map((each) => Buffer.from(each).toString()), 'more'])
}

test('a damaged file loses the records after the damage, counts them, and affects no other file', async () => {
  const queue = await openQueue({ segmentBytes: 40 })
  for (let each = 0; each < 6; each += 1) await queue.append(text(`record ${each}`))
  const [first = ''] = await logs()
  const bytes = await readFile(join(directory, first))
  bytes[10] = (bytes[10] ?? 0) ^ 1
  await writeFile(join(directory, first), bytes)
  const again = await openQueue()
  expect(await contents(again)).toEqual(['record 2', 'record 3', 'record 4', 'record 5'])
  expect(again.losses).toEqual({ dropped: 0, damaged: 2 })
})

test('zeroes and garbage at the end, and an unreadable pointer, lose no records', async () => {
  const queue = await openQueue()
  await queue.append(text('a'))
  await queue.append(text('b'))
  await queue.acknowledge(1)
  await queue.close()
  const [name = ''] = await logs()
  await appendFile(join(directory, name), Buffer.concat([Buffer.alloc(64), Buffer.from([9, 0, 0, 0, 1])]))
  expect(await contents(await openQueue())).toEqual(['b'])
  await writeFile(join(directory, 'pointer'), 'rubbish')
  // A duplicate is better than a loss.
  expect(await contents(await openQueue())).toEqual(['a', 'b'])
})

test('concurrent calls run in sequence', async () => {
  const queue = await openQueue({ segmentBytes: 64 })
  const positions = await Promise.all(Array.from({ length: 50 }, (_each, index) => queue.append(text(`r${index}`))))
  expect(positions).toEqual(Array.from({ length: 50 }, (_each, index) => index + 1))
  await Promise.all(positions.filter((each) => each % 2 === 0).map((each) => queue.acknowledge(each)))
  expect(await contents(queue)).toEqual(positions.filter((each) => each % 2 === 1).map((each) => `r${each - 1}`))
})

test('on a full disk the oldest records are deleted for the newest, even if nothing else can be written', async () => {
  const disk = failingDisk()
  const queue = await openQueue({ segmentBytes: 40, files: disk.files })
  for (let each = 0; each < 6; each += 1) await queue.append(text(`record ${each}`))
  disk.bytesFree = 0
  expect(await queue.append(text('record 6'))).toBe(7)
  expect(await contents(queue)).toEqual(['record 2', 'record 3', 'record 4', 'record 5', 'record 6'])
  expect(queue.losses).toEqual({ dropped: 2, damaged: 0 })
  expect(await contents(await openQueue())).toEqual(await contents(queue))
})

test('a single file on a full disk is deleted too, and a disk without space is reported as full', async () => {
  const disk = failingDisk()
  const queue = await openQueue({ files: disk.files })
  await queue.append(text('old'.repeat(100)))
  disk.bytesFree = 0
  expect(await queue.append(text('new'))).toBe(2)
  disk.isBroken = true
  await expect(queue.append(text('newest'))).rejects.toThrow('ENOSPC')
})

test('a disk with short writes gets the complete record, and a partial record is removed', async () => {
  const disk = failingDisk()
  const queue = await openQueue({ files: disk.files })
  disk.bytesAtOnce = 5
  await queue.append(text('a record of some length'))
  expect(await contents(await openQueue())).toEqual(['a record of some length'])
  const [name = ''] = await logs()
  const { length } = await readFile(join(directory, name))
  disk.failAfterWrites = 2
  await expect(queue.append(text('another record'))).rejects.toThrow('EIO')
  expect((await readFile(join(directory, name))).length).toBe(length)
})

test('a disk that accepts no writes does not prevent open, acknowledge and close', async () => {
  const queue = await openQueue({ segmentBytes: 1 })
  for (const each of ['a', 'b', 'c']) await queue.append(text(each))
  await queue.acknowledge(1)
  const disk = failingDisk()
  disk.isBroken = true
  const again = await openQueue({ files: disk.files })
  await again.acknowledge(2)
  expect(again.positions()).toEqual([3])
  await again.close()
})

test('an unreadable record is counted as damaged', async () => {
  const queue = await openQueue({ segmentBytes: 1 })
  for (const each of ['a', 'b']) await queue.append(text(each))
  await rm(join(directory, (await logs())[0] ?? ''))
  expect(await queue.read(1)).toBeUndefined()
  expect(queue.positions()).toEqual([2])
  expect(queue.losses).toEqual({ dropped: 0, damaged: 1 })
})
