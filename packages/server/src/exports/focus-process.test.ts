import { endSecond, startSecond } from '@plimsoll/pipeline/testing'
import { afterAll, expect, test, vi } from 'vitest'
import { exportHere } from '../../test/export-here.ts'
import { aReadCluster } from '../../test/folded-cluster.ts'
import { patience } from '../../test/patience.ts'
import { useTestApp } from '../../test/test-app.ts'
import type { FocusRequest } from './focus/focus-request.ts'
import { FocusProcess, type FocusProcessOptions } from './focus-process.ts'

const t = useTestApp()
const opened: FocusProcess[] = []
afterAll(async () => {
  for (const each of opened) await each.close()
})

function aProcess(options: Partial<FocusProcessOptions> = {}): FocusProcess {
  const exporting = new FocusProcess({ databaseUrl: t.url, log: t.deps.log, ...options })
  opened.push(exporting)
  return exporting
}

async function aRequest(more: Partial<FocusRequest> = {}): Promise<FocusRequest> {
  const { clusterId } = await aReadCluster(t)
  return {
    ...{ version: '1.2', format: 'parquet', level: 'workload', step: 'hour', billed: 'none', tags: [] },
    ...{ from: new Date(startSecond * 1000), to: new Date(endSecond * 1000) },
    ...{ clusterIds: [clusterId], publicUrl: 'https://plimsoll.test', ...more },
  }
}

const by = (signal = new AbortController().signal, callerId = 'someone') => ({ callerId, signal })

async function bytesOf(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of bytes) parts.push(part)
  return Buffer.concat(parts)
}

test.each(['csv', 'parquet'] as const)('the process writes the same %s file, and then ends', async (format) => {
  const exporting = aProcess()
  const request = await aRequest({ format })
  const here = await exportHere(t.deps, request)
  const file = await exporting.stream(request, by())
  expect((await bytesOf(file.bytes)).equals(await bytesOf(here.bytes))).toBe(true)
  expect(await file.totals).toEqual(await here.totals)
  expect((await file.totals).rows).toBeGreaterThan(0)
  await vi.waitUntil(() => exporting.pids.length === 0, patience)
})

test('a failure reaches the reader: a broken file never looks complete', async () => {
  const exporting = aProcess({ databaseUrl: `${t.url}_missing` })
  const file = await exporting.stream(await aRequest(), by())
  await expect(bytesOf(file.bytes)).rejects.toThrow('does not exist')
})

test('a process that is killed breaks the file', async () => {
  const exporting = aProcess()
  const file = await exporting.stream(await aRequest(), by())
  for (const pid of exporting.pids) if (pid !== undefined) process.kill(pid, 'SIGKILL')
  await expect(bytesOf(file.bytes)).rejects.toThrow('the export process stopped: SIGKILL')
})

test('the process ends when its caller goes away, and frees the place for the next caller', async () => {
  const exporting = aProcess()
  const closing = [new AbortController(), new AbortController()]
  for (const [at, { signal }] of closing.entries()) await exporting.stream(await aRequest(), by(signal, `caller ${at}`))
  const waiting = exporting.stream(await aRequest({ format: 'csv' }), by())
  for (const each of closing) each.abort()
  expect((await bytesOf((await waiting).bytes)).toString()).toContain('EffectiveCost')
})
