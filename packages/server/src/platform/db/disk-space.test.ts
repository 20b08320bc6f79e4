import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { aSmallDisk, canMount } from '../../../test/small-disk.ts'
import { DiskSpace } from './disk-space.ts'

const start = new Date('2026-03-01T12:00:00Z')
const withCode = (code: string) => Object.assign(new Error('failed'), { code })
const away = withCode('ECONNREFUSED')

afterEach(() => void vi.useRealTimers())

test.each(['53100', 'ENOSPC', 'EDQUOT'])('the code %s means a full disk', async (code) => {
  expect(await new DiskSpace({ now: () => start }).isCauseOf(withCode(code))).toBe(true)
})

test('a database that stops responding after a full disk counts as a full disk for a minute', async () => {
  let now = start
  const disk = new DiskSpace({ now: () => now })
  expect(await disk.isCauseOf(away)).toBe(false)
  await disk.isCauseOf(withCode('53100'))
  expect([await disk.isCauseOf(away), await disk.isCauseOf(withCode('23505'))]).toEqual([true, false])
  now = new Date(start.getTime() + 60_000)
  expect(await disk.isCauseOf(away)).toBe(false)
})

test.runIf(canMount)('an unresponsive embedded database on a full disk counts as a full disk', async () => {
  const { path, grow } = aSmallDisk('17m')
  const disk = new DiskSpace({ now: () => start, dataDir: path })
  expect(await disk.isCauseOf(away)).toBe(false)
  writeFileSync(join(path, 'fills-it'), Buffer.alloc(4 * 1024 * 1024))
  expect(await disk.isCauseOf(away)).toBe(true)
  grow('64m')
  expect(await disk.isCauseOf(away)).toBe(false)
})

test('of a hanging disk only one read is in progress, and callers wait at most one second', async () => {
  vi.useFakeTimers()
  const readFreeBytes = vi.fn(() => new Promise<number>(() => undefined))
  const disk = new DiskSpace({ now: () => start, dataDir: '/data', readFreeBytes })
  const answers = Promise.all([disk.isCauseOf(away), disk.isCauseOf(away)])
  await vi.advanceTimersByTimeAsync(1000)
  expect(await answers).toEqual([false, false])
  await disk.isCauseOf(withCode('ENOSPC'))
  const remembered = disk.isCauseOf(away)
  await vi.advanceTimersByTimeAsync(1000)
  expect(await remembered).toBe(true)
  expect(readFreeBytes).toHaveBeenCalledTimes(1)
})

test('each failure after a finished read checks the free space again', async () => {
  const free = [0, 1024 ** 3]
  const readFreeBytes = vi.fn(async () => free.shift() ?? 0)
  const disk = new DiskSpace({ now: () => start, dataDir: '/data', readFreeBytes })
  expect([await disk.isCauseOf(away), await disk.isCauseOf(away)]).toEqual([true, false])
})
