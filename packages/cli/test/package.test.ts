import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../../../', import.meta.url))

let directory = ''

/** Builds, packs and installs the package in an empty directory, without a registry. */
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'plimsoll-package-'))
  await execute(process.execPath, ['scripts/build.mjs', '--quiet', '--cli'], { cwd: root })
  const packed = await execute('npm', [
    'pack',
    '--json',
    '--pack-destination',
    directory,
    join(root, 'packages/cli/dist'),
  ])
  const [{ filename } = { filename: '' }] = JSON.parse(packed.stdout) as { filename: string }[]
  const options = ['--offline', '--no-audit', '--no-fund', '--prefix', directory]
  await execute('npm', ['install', ...options, join(directory, filename)], { cwd: directory })
}, 240_000)

afterAll(() => rm(directory, { recursive: true, force: true }))

const installed = (name: string, args: readonly string[]) =>
  execute(join(directory, 'node_modules/.bin', name), args, {
    cwd: directory,
    env: { PATH: process.env.PATH, HOME: directory },
  })

test('the installed package runs under both names', async () => {
  expect((await installed('plimsoll', ['--version'])).stdout).toBe('0.1.0\n')
  expect((await installed('plimsoll', ['--help'])).stdout).toMatch(/^Usage: plimsoll /)
  expect((await installed('kubectl-plimsoll', ['--help'])).stdout).toMatch(/^Usage: kubectl plimsoll /)
})

test('an error of the installed package has its exit code', async () => {
  await expect(installed('plimsoll', ['clusters'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no server.') as string,
  })
})

test('YAML, which is loaded on demand, is part of the package', async () => {
  expect((await installed('plimsoll', ['api', '-o', 'yaml'])).stdout).toContain('listClusters: GET /api/v1/clusters\n')
})
