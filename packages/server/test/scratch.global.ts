import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { freemem } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const wantedBytes = 6 * 1024 ** 3

/**
 * Temporary files of the tests lie in memory where there is plenty of it: each test file copies a database of hundreds of small
 * files, which takes a disk twenty times as long. Whoever sets TMPDIR has chosen.
 */
export default async function chooseScratch(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TMPDIR !== undefined || Math.min(freemem(), await freeBytes(memory)) < wantedBytes) return undefined
  const directory = await mkdtemp(join(memory, 'plimsoll-tests-'))
  // Open to the user id that runs PostgreSQL where the tests run as root.
  await chmod(directory, 0o755)
  process.env.TMPDIR = directory
  return () => rm(directory, { recursive: true, force: true })
}

async function freeBytes(path: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  } catch {
    return 0
  }
}
