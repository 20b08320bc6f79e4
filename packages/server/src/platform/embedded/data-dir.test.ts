import { chmod, chown, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { aTemporaryDirectory, isRoot, useSandbox } from '../../../test/embedded-sandbox.ts'
import { StartupError } from '../startup-error.ts'
import { defaultDataDir, openDataDir } from './data-dir.ts'

useSandbox()

test('a data directory that is a file, below a file or impossible is explained in one sentence', async () => {
  const file = join(await aTemporaryDirectory(), 'file')
  await writeFile(file, '')

  await expect(openDataDir(file)).rejects.toThrow(
    new StartupError(
      `Plimsoll cannot write to its data directory ${file} (a file with this name exists). ` +
        'Make the directory writable or set PLIMSOLL_DATA_DIR to another directory.',
    ),
  )
  await expect(openDataDir(join(file, 'data'))).rejects.toThrow('(a file with this name exists)')
  await expect(openDataDir('/proc/plimsoll')).rejects.toThrow(StartupError)
})

test.skipIf(isRoot)('a data directory without permission to write is explained', async () => {
  const closed = await aTemporaryDirectory()
  await chmod(closed, 0o500)

  await expect(openDataDir(closed)).rejects.toThrow('(permission denied)')
  await expect(openDataDir(join(closed, 'data'))).rejects.toThrow('(permission denied)')
})

test('the default is beside the project', async () => {
  const project = await aTemporaryDirectory()

  expect(await defaultDataDir(project, 'plimsoll')).toBe(join(project, '.plimsoll'))
})

describe.runIf(isRoot)('as root', () => {
  test('the default is /var/lib/plimsoll if PostgreSQL cannot access the project', async () => {
    const home = await aTemporaryDirectory()
    await chmod(home, 0o700)

    expect(await defaultDataDir(join(home, 'project'), 'plimsoll')).toBe('/var/lib/plimsoll')
  })

  test('a directory that PostgreSQL cannot access is rejected with an alternative', async () => {
    const home = await aTemporaryDirectory()
    await chmod(home, 0o700)

    const opening = openDataDir(join(home, 'project', 'data'))

    await expect(opening).rejects.toThrow(`cannot enter ${home}.`)
    await expect(opening).rejects.toThrow('PLIMSOLL_DATA_DIR=/var/lib/plimsoll')
  })

  test('a directory with demo state is given to the user that runs PostgreSQL', async () => {
    const path = join(await aTemporaryDirectory(), 'data')
    await mkdir(path, { mode: 0o700 })
    await writeFile(join(path, 'plimsoll-demo.json'), '{}')

    const { runAs } = await openDataDir(path)

    expect((await stat(path)).uid).toBe(runAs?.uid)
  })

  test.each([[['notes.txt']], [['notes.txt', 'plimsoll-demo.json']]])(
    'a directory with %j in it does not change its owner',
    async (names) => {
      const home = await aTemporaryDirectory()
      for (const name of names) await writeFile(join(home, name), '')
      await chmod(home, 0o700)

      await expect(openDataDir(home)).rejects.toThrow(`cannot enter ${home}.`)
      expect((await stat(home)).uid).toBe(0)
    },
  )

  test.each([
    { name: 'the owner of the data directory', owner: 1, expected: 1 },
    { name: 'the user nobody if that owner has no name', owner: 4321, expected: 65534 },
    { name: 'the user nobody if that owner is root', owner: 0, expected: 65534 },
  ])('PostgreSQL runs as $name', async ({ owner, expected }) => {
    const dataDir = join(await aTemporaryDirectory(), 'data')
    await mkdir(dataDir, { mode: 0o700 })
    await chown(dataDir, owner, owner)

    expect((await openDataDir(dataDir)).runAs).toEqual({ uid: expected, gid: expected })
    expect((await stat(dataDir)).uid).toBe(expected)
  })
})
