import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const memory = '/dev/shm'
const wantedBytes = 6 * 1024 ** 3

/**
 * Temporary files of the tests are in memory if there is enough: each test file copies a database of hundreds of
 * small files, which takes a disk twenty times as long. TMPDIR overrides this.
 */
export async function chooseScratch(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TMPDIR !== undefined) return undefined
  await removeAbandoned(memory)
  if (Math.min(process.availableMemory(), await freeBytes(memory)) < wantedBytes) return undefined
  // The name states the owner of the directory, for `removeAbandoned`.
  const directory = await mkdtemp(join(memory, `plimsoll-tests-${process.pid}-`))
  const remove = () => rm(directory, { recursive: true, force: true })
  if (!(await runsPrograms(directory))) return void (await remove())
  // Accessible to the user that runs PostgreSQL when the tests run as root.
  await chmod(directory, 0o755)
  process.env.TMPDIR = directory
  return remove
}

/**
 * Removes the scratch directories of killed test runs. Their PostgreSQL servers end too: a server stops within a minute
 * when its data directory is gone.
 */
export async function removeAbandoned(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => [])
  const abandoned = names.filter((name) => {
    const [, owner] = /^plimsoll-tests-(\d+)-/.exec(name) ?? []
    return owner !== undefined && !isRunning(Number(owner))
  })
  await Promise.all(abandoned.map((name) => rm(join(parent, name), { recursive: true, force: true })))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Any other error means that the process exists and belongs to another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

async function freeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  } catch {
    return 0
  }
}

/** Tests install tools there, and containers often forbid executing files in memory. */
async function runsPrograms(directory: string): Promise<boolean> {
  const program = join(directory, 'program')
  await writeFile(program, '#!/bin/sh\n', { mode: 0o755 })
  return promisify(execFile)(program).then(
    () => true,
    () => false,
  )
}
