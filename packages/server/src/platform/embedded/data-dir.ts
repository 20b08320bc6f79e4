import { access, constants, mkdir, readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { StartupError } from '../startup-error.ts'
import { hasCode } from './exists.ts'
import { chooseRunAs, findClosedDirectory, giveTo } from './run-as.ts'
import type { RunAs } from './run-to-end.ts'

export type DataDir = {
  path: string
  /** The data directory of PostgreSQL. */
  cluster: string
  passwordFile: string
  /** Seals the secrets of the service in the database, unless the settings name a key. */
  secretKeyFile: string
  logFile: string
  runAs: RunAs
}

export async function openDataDir(path: string): Promise<DataDir> {
  const dataDir = await describeDataDir(path)
  await refuseClosed(dirname(dataDir.path), dataDir.runAs)
  try {
    await makeDirectory(dataDir)
    await access(dataDir.path, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw explainFileError(dataDir.path, error)
  }
  return dataDir
}

/** Beside the project, unless the user that runs PostgreSQL cannot access the project of root. */
export async function defaultDataDir(projectDir: string, name: 'plimsoll' | 'plimsoll-demo'): Promise<string> {
  const { path, runAs } = await describeDataDir(join(projectDir, `.${name}`))
  return (await findClosedDirectory(dirname(path), runAs)) === undefined ? path : `/var/lib/${name}`
}

async function describeDataDir(relativePath: string): Promise<DataDir> {
  const path = resolve(relativePath)
  const cluster = join(path, 'postgres')
  return {
    path,
    cluster,
    passwordFile: join(path, 'postgres-password'),
    secretKeyFile: join(path, 'secret-key'),
    logFile: join(path, 'postgres.log'),
    runAs: await chooseRunAs({ cluster, path }),
  }
}

async function refuseClosed(path: string, runAs: RunAs) {
  const closed = await findClosedDirectory(path, runAs)
  if (closed === undefined || !runAs) return
  throw new StartupError(
    `PostgreSQL cannot run as root, so it runs as user ${runAs.uid}. This user cannot enter ${closed}. ` +
      'Set PLIMSOLL_DATA_DIR to a directory that this user can enter, such as PLIMSOLL_DATA_DIR=/var/lib/plimsoll.',
  )
}

/** The demo writes it before the first start of the service. */
const demoStateName = 'plimsoll-demo.json'

/** Parent directories get the usual mode: otherwise the user that runs PostgreSQL could not enter them. */
async function makeDirectory({ path, passwordFile, runAs }: DataDir) {
  await mkdir(dirname(path), { recursive: true })
  await mkdir(path, { mode: 0o700 }).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error
  })
  // Ownership changes only for a directory that is certainly ours: a user may have named their home directory.
  const names = await readdir(path)
  const isOurs = names.includes(basename(passwordFile)) || names.every((name) => name === demoStateName)
  if (isOurs) await giveTo(runAs, path)
  await refuseClosed(path, runAs)
}

/** Permission errors, a full disk and similar give a sentence; any other error is a bug and is rethrown. */
export function explainFileError(path: string, error: unknown): unknown {
  const known = Object.keys(reasons).find((code) => hasCode(error, code))
  if (known === undefined) return error
  return new StartupError(
    `Plimsoll cannot write to its data directory ${path} (${reasons[known]}). ` +
      'Make the directory writable or set PLIMSOLL_DATA_DIR to another directory.',
    { cause: error },
  )
}

const reasons: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'read-only file system',
  ENOSPC: 'no space left on the device',
  EDQUOT: 'disk quota exceeded',
  ENOTDIR: 'a file with this name exists',
  EEXIST: 'a file with this name exists',
  ENOENT: 'it cannot be created',
}
