import { randomBytes } from 'node:crypto'
import { chmod, link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../startup-error.ts'
import type { DataDir } from './data-dir.ts'
import { exists, hasCode } from './exists.ts'
import { giveTo } from './run-as.ts'
import { syncDirectory, unfinishedPath } from './unfinished.ts'

/** Created before the cluster, so a cluster without it means that the file was removed. */
export async function loadPassword(dataDir: DataDir): Promise<string> {
  const { cluster, passwordFile } = dataDir
  const clusterExists = await exists(join(cluster, 'PG_VERSION'))
  if (!(await exists(passwordFile))) {
    if (clusterExists) throw passwordLost(dataDir)
    await createSecretFile(dataDir, passwordFile)
  }
  return readSecretFile(passwordFile)
}

/** The first start on the directory creates it; a directory of an earlier version gets one at its next start. */
export async function loadSecretKey(dataDir: DataDir): Promise<string> {
  const { secretKeyFile } = dataDir
  if (!(await exists(secretKeyFile))) await createSecretFile(dataDir, secretKeyFile)
  return readSecretFile(secretKeyFile)
}

async function readSecretFile(path: string): Promise<string> {
  await chmod(path, 0o600)
  return (await readFile(path, 'utf8')).trim()
}

export function passwordLost({ cluster, passwordFile }: DataDir) {
  return new StartupError(
    `The password of the database in ${cluster} is missing from ${passwordFile}. ` +
      'Restore the file from a backup, or move both away to start with an empty database.',
  )
}

/** A link is atomic and never replaces another: two concurrent starts both use the first file. */
async function createSecretFile(dataDir: DataDir, target: string) {
  const { path, runAs } = dataDir
  const unfinished = unfinishedPath(dataDir)
  const file = await open(unfinished, 'wx', 0o600)
  try {
    await file.writeFile(`${randomBytes(24).toString('base64url')}\n`)
    await file.sync()
    await giveTo(runAs, unfinished)
    await link(unfinished, target).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error
    })
  } finally {
    await file.close()
    await rm(unfinished)
  }
  await syncDirectory(path)
}
