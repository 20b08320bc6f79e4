import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { DataDir } from './data-dir.ts'
import { hasCode } from './exists.ts'
import { giveTo } from './run-as.ts'

const prefix = 'unfinished-'

/** Files are created under a temporary name and renamed when complete, so that a crash never leaves a partial file. */
export function unfinishedPath({ path }: DataDir): string {
  return join(path, `${prefix}${randomUUID()}`)
}

export async function makeUnfinishedDirectory(dataDir: DataDir): Promise<string> {
  const unfinished = unfinishedPath(dataDir)
  await mkdir(unfinished, { mode: 0o700 })
  await giveTo(dataDir.runAs, unfinished)
  return unfinished
}

/** If another process was faster, its directory stays and ours is dropped. */
export async function publishDirectory(unfinished: string, target: string) {
  try {
    await rename(unfinished, target)
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
    await rm(unfinished, { recursive: true, force: true })
  }
  await syncDirectory(dirname(target))
}

/** A new name survives a power cut only after its directory has been synced. */
export async function syncDirectory(path: string) {
  const directory = await open(path)
  await directory.sync().finally(() => directory.close())
}

/**
 * Files of crashed starts and earlier releases. Only for the owner of the directory, because other processes may be
 * starting.
 */
export async function removeLeftovers({ path }: DataDir, binaryInUse: string) {
  const leftovers = (await readdir(path))
    .filter((name) => name.startsWith(prefix) || name.startsWith('runtime-'))
    .filter((name) => !binaryInUse.startsWith(join(path, name, '/')))
  // An interrupted initdb may still be writing; the next start removes the rest.
  for (const name of leftovers) await rm(join(path, name), { recursive: true, force: true }).catch(() => undefined)
}
