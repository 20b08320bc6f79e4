import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { aDataDir, aDataDirWithCluster, isRoot, query, start, useSandbox } from '../../../test/embedded-sandbox.ts'
import { StartupError } from '../startup-error.ts'
import { giveTreeTo } from './run-as.ts'

useSandbox()

test('a database of another major version is rejected with the next step', async () => {
  const dataDir = await aDataDir()
  await mkdir(join(dataDir, 'postgres'), { recursive: true })
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '14\n')
  await writeFile(join(dataDir, 'postgres-password'), 'secret\n')

  await expect(start(dataDir)).rejects.toThrow(
    new StartupError(
      `The database in ${dataDir}/postgres was created by PostgreSQL 14, but this release includes PostgreSQL 18. ` +
        'Dump the database with the older release and restore it here, or move the directory to start with an empty database.',
    ),
  )
})

test('files that are not a database are not changed', async () => {
  const dataDir = await aDataDir()
  await mkdir(join(dataDir, 'postgres'), { recursive: true })
  await writeFile(join(dataDir, 'postgres', 'notes.txt'), 'mine')

  await expect(start(dataDir)).rejects.toThrow(`${dataDir}/postgres contains files that do not belong to PostgreSQL`)
})

test('a cluster without its password file is explained', async () => {
  const dataDir = await aDataDir()
  await mkdir(join(dataDir, 'postgres'), { recursive: true })
  await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '18\n')

  await expect(start(dataDir)).rejects.toThrow(
    /^The password of the database in .* is missing from .*postgres-password\./,
  )
})

test.runIf(isRoot)('files that a restore gave to root, or opened to a group, are corrected', async () => {
  const dataDir = await aDataDirWithCluster()
  await giveTreeTo({ uid: 0, gid: 0 }, dataDir)
  await chmod(join(dataDir, 'postgres'), 0o770)

  const { url } = await start(dataDir)

  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect((await stat(join(dataDir, 'postgres'))).mode & 0o777).toBe(0o700)
})
