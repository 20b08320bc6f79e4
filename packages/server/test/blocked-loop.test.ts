import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test, vi } from 'vitest'
import { findPostmaster } from '../src/platform/embedded/postmaster.ts'
import { aDataDirWithCluster, useSandbox } from './embedded-sandbox.ts'
import { patience } from './patience.ts'
import { startServer } from './server-process.ts'

useSandbox()

const blocker = fileURLToPath(new URL('fixtures/block-loop.mjs', import.meta.url))

test('SIGTERM ends a service whose event loop is blocked, together with its PostgreSQL', async () => {
  const dataDir = await aDataDirWithCluster()
  const file = `${dataDir}.block`
  const server = await startServer({
    PLIMSOLL_DATA_DIR: dataDir,
    NODE_OPTIONS: `--import ${blocker}`,
    BLOCK_LOOP_WHEN: file,
  })
  onTestFinished(() => server.end())
  await writeFile(file, '')
  await vi.waitUntil(() => existsSync(`${file}.blocked`), patience)

  expect(await server.stop()).toBe(1)

  const lines = server.stderr.split('\n').filter((line) => line.includes('event loop is blocked'))
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([{ level: 60, stopping: true }])
  expect(await findPostmaster(join(dataDir, 'postgres'))).toBeUndefined()
})
