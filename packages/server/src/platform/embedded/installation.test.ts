import { chmod, readdir, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  aDataDir,
  aDataDirWithCluster,
  aTemporaryDirectory,
  copyDirectory,
  query,
  start,
  useSandbox,
} from '../../../test/embedded-sandbox.ts'
import { openDataDir } from './data-dir.ts'
import { findInstallation, findNativePackage, prepareNativePackage } from './installation.ts'

useSandbox()

/** As npm installs it without install scripts. */
async function aNativePackageWithoutLinks() {
  const installed = await findInstallation(await openDataDir(await aDataDir()))
  const root = await aTemporaryDirectory()
  const nativeDir = join(root, 'native')
  copyDirectory(dirname(dirname(installed.postgres)), nativeDir)
  for (const entry of await readdir(join(nativeDir, 'lib'), { withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(join(nativeDir, 'lib', entry.name))
  }
  return { root, nativeDir, version: '1.2.3' }
}

test('missing library links are created', async () => {
  const { nativeDir, version } = await aNativePackageWithoutLinks()
  const dataDir = await aDataDir()

  const { postgres } = await prepareNativePackage({ nativeDir, version }, await openDataDir(dataDir))
  const { url } = await start(dataDir, { installDir: nativeDir })

  expect(postgres).toBe(join(nativeDir, 'bin', 'postgres'))
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a read-only or inaccessible package is copied once', async () => {
  const { root, nativeDir, version } = await aNativePackageWithoutLinks()
  const dataDir = await aDataDirWithCluster()
  await chmod(join(nativeDir, 'lib'), 0o555)
  await chmod(root, 0o700)
  onTestFinished(() => chmod(join(nativeDir, 'lib'), 0o755))

  const first = await prepareNativePackage({ nativeDir, version }, await openDataDir(dataDir))
  const second = await prepareNativePackage({ nativeDir, version }, await openDataDir(dataDir))
  const { url } = await start(dataDir, { installDir: join(dataDir, 'runtime-1.2.3') })

  expect(first).toEqual(second)
  expect(first.postgres).toBe(join(dataDir, 'runtime-1.2.3', 'bin', 'postgres'))
  expect(await query(url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect((await readdir(dataDir)).filter((name) => name.startsWith('unfinished-'))).toEqual([])
})

test.each([
  {
    name: 'Linux without glibc',
    machine: { platform: 'linux', arch: 'x64', glibcVersion: undefined },
    expected: 'needs glibc',
  },
  {
    name: 'Windows',
    machine: { platform: 'win32', arch: 'x64', glibcVersion: undefined },
    expected: 'Linux and macOS only',
  },
  {
    name: 'an architecture without a package',
    machine: { platform: 'linux', arch: 's390x', glibcVersion: '2.36' },
    expected: 'not installed',
  },
] as const)('on $name the message says to Set DATABASE_URL', async ({ machine, expected }) => {
  const finding = findNativePackage(machine)

  await expect(finding).rejects.toThrow(expected)
  await expect(finding).rejects.toThrow('Set DATABASE_URL')
})

test('a directory without PostgreSQL is named', async () => {
  await expect(start(await aDataDir(), { installDir: '/nowhere' })).rejects.toThrow(
    'The PostgreSQL in /nowhere does not run',
  )
})
