import type { Stats } from 'node:fs'
import { chown, lchown, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runToEnd, type RunAs } from './run-to-end.ts'

const nobody = { uid: 65534, gid: 65534 }

type Owned = { cluster: string; path: string }

/** The owner of the cluster, or else of its parent directory. Root is not a candidate. */
export async function chooseRunAs({ cluster, path }: Owned): Promise<RunAs> {
  if (process.getuid?.() !== 0) return undefined
  const clusterOwner = await findOwner(cluster)
  if (clusterOwner) return clusterOwner
  const owner = await findOwner(path)
  return owner && (await hasName(owner.uid)) ? owner : nobody
}

async function findOwner(path: string): Promise<RunAs> {
  const stats = await stat(path).catch(() => undefined)
  return stats && stats.uid !== 0 ? { uid: stats.uid, gid: stats.gid } : undefined
}

/** initdb requires a user with a name, and the owner of a mounted directory may have none here. */
async function hasName(uid: number) {
  const { exitCode } = await runToEnd('id', ['-un', String(uid)], { runAs: undefined, cwd: '/' })
  return exitCode === 0
}

/** The outermost directory on the path that `runAs` may not enter. Missing directories are created. */
export async function findClosedDirectory(path: string, runAs: RunAs): Promise<string | undefined> {
  if (!runAs) return undefined
  for (const directory of directoriesTo(path)) {
    const stats = await stat(directory).catch(() => undefined)
    if (stats?.isDirectory() && !mayEnter(stats, runAs)) return directory
  }
  return undefined
}

function directoriesTo(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [path] : [...directoriesTo(parent), path]
}

export function mayEnter({ mode, uid, gid }: Pick<Stats, 'mode' | 'uid' | 'gid'>, runAs: NonNullable<RunAs>) {
  if (uid === runAs.uid) return (mode & 0o100) !== 0
  if (gid === runAs.gid) return (mode & 0o010) !== 0
  return (mode & 0o001) !== 0
}

export async function giveTo(runAs: RunAs, path: string) {
  if (runAs) await chown(path, runAs.uid, runAs.gid)
}

export async function giveTreeTo(runAs: RunAs, root: string) {
  if (!runAs) return
  await lchown(root, runAs.uid, runAs.gid)
  for (const entry of await readdir(root, { recursive: true })) await lchown(join(root, entry), runAs.uid, runAs.gid)
}
