import { stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aDataDirWithCluster, start, useSandbox } from '../../../test/embedded-sandbox.ts'

useSandbox()

test('a log of more than 10 MB is rotated when the server starts', async () => {
  const dataDir = await aDataDirWithCluster()
  const logFile = join(dataDir, 'postgres.log')
  await writeFile(logFile, '')
  await truncate(logFile, 10 * 1024 ** 2 + 1)

  await start(dataDir)

  expect((await stat(`${logFile}.1`)).size).toBe(10 * 1024 ** 2 + 1)
  expect((await stat(logFile)).size).toBeLessThan(10_000)
})
