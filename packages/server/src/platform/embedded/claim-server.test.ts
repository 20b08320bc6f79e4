import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  aDataDirWithCluster,
  countRows,
  postmasterPid,
  query,
  start,
  useSandbox,
  writerWithRows,
} from '../../../test/embedded-sandbox.ts'

useSandbox()

test.concurrent(
  'after kill -9 of our process the next start adopts the server with every acknowledged row',
  async () => {
    const dataDir = await aDataDirWithCluster()
    const { child, ended, acknowledged } = await writerWithRows(dataDir, 100)
    const orphan = await postmasterPid(dataDir)

    child.kill('SIGKILL')
    await ended
    const { url, adopted, stop } = await start(dataDir)

    expect(adopted).toBe(true)
    expect(await postmasterPid(dataDir)).toBe(orphan)
    expect(await countRows(url)).toBeGreaterThanOrEqual(acknowledged())

    await stop()
    await expect(postmasterPid(dataDir)).rejects.toThrow('no server runs')
  },
)

test.concurrent(
  'after kill -9 of our process and of the server the next start has every acknowledged row',
  async () => {
    const dataDir = await aDataDirWithCluster()
    const { child, ended, acknowledged } = await writerWithRows(dataDir, 100)
    const postmaster = await postmasterPid(dataDir)

    child.kill('SIGKILL')
    process.kill(postmaster, 'SIGKILL')
    await ended
    const { url, adopted } = await start(dataDir)

    expect(adopted).toBe(false)
    expect(await countRows(url)).toBeGreaterThanOrEqual(acknowledged())
  },
)

test.concurrent('an unresponsive leftover server is replaced, with every acknowledged row', async () => {
  const dataDir = await aDataDirWithCluster()
  const { child, ended, acknowledged } = await writerWithRows(dataDir, 100)
  const orphan = await postmasterPid(dataDir)

  process.kill(orphan, 'SIGSTOP')
  child.kill('SIGKILL')
  await ended
  const { url, adopted } = await start(dataDir)

  expect(adopted).toBe(false)
  expect(await postmasterPid(dataDir)).not.toBe(orphan)
  expect(await countRows(url)).toBeGreaterThanOrEqual(acknowledged())
})

test.concurrent('another process with the old process id is neither adopted nor ended', async ({ onTestFinished }) => {
  const dataDir = await aDataDirWithCluster()
  const { stop } = await start(dataDir)
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  const [, ...rest] = (await readFile(pidFile, 'utf8')).split('\n')
  await stop()
  const bystander = spawn('sleep', ['60'])
  onTestFinished(() => void bystander.kill())
  await writeFile(pidFile, [bystander.pid, ...rest].join('\n'))

  const { url, adopted } = await start(dataDir)

  expect(adopted).toBe(false)
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(bystander.exitCode ?? bystander.signalCode).toBeNull()
})

test.concurrent('a server that cannot start is not retried without limit, and its reason is reported', async () => {
  const dataDir = await aDataDirWithCluster()

  await expect(start(dataDir, { settings: { shared_buffers: 'much' } })).rejects.toThrow(
    `PostgreSQL cannot start in ${dataDir}/postgres (invalid value for parameter "shared_buffers": "much"). ` +
      `See ${dataDir}/postgres.log.`,
  )
})
