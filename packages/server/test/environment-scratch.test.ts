import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { removeAbandoned } from './environment-scratch.ts'

test('A test run removes the scratch directories of killed runs and no other directory', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'abandoned-'))
  onTestFinished(() => rm(parent, { recursive: true, force: true }))
  const { pid: ended } = spawnSync(process.execPath, ['--version'])
  const kept = [
    `plimsoll-tests-${process.pid}-running`,
    'plimsoll-tests-withoutOwner',
    `other-tests-${ended}-x`,
    `PostgreSQL.${ended}`,
  ]
  for (const name of [...kept, `plimsoll-tests-${ended}-killed`]) {
    await mkdir(join(parent, name))
    await writeFile(join(parent, name, 'postmaster.pid'), '')
  }

  await removeAbandoned(parent)

  expect((await readdir(parent)).sort()).toEqual([...kept].sort())
})

test('A missing parent of the scratch directories is not an error', async () => {
  await expect(removeAbandoned(join(tmpdir(), 'no-such-directory'))).resolves.toBeUndefined()
})
