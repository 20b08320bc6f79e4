import { chmod, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../startup-error.ts'
import type { DataDir } from './data-dir.ts'
import type { Installation } from './installation.ts'
import { giveTreeTo } from './run-as.ts'
import { runToEnd } from './run-to-end.ts'
import { makeUnfinishedDirectory, publishDirectory } from './unfinished.ts'

/**
 * Afterwards there is a complete cluster of our major version, with the owner and the mode that PostgreSQL requires.
 */
export async function initialiseCluster(dataDir: DataDir, installation: Installation, options: { durable: boolean }) {
  const { cluster, runAs } = dataDir
  const found = await findMajor(cluster)
  if (found === undefined) await createCluster(dataDir, installation, options)
  else if (found !== installation.major) throw otherMajor(cluster, found, installation.major)

  // Restored by root, or with modes widened by the group of a volume: both are corrected.
  if (runAs && (await stat(cluster)).uid !== runAs.uid) await giveTreeTo(runAs, cluster)
  await chmod(cluster, 0o700)
}

async function findMajor(cluster: string): Promise<number | undefined> {
  const version = await readFile(join(cluster, 'PG_VERSION'), 'utf8').catch(() => undefined)
  return version === undefined ? undefined : Number.parseInt(version, 10)
}

function otherMajor(cluster: string, found: number, ours: number) {
  return new StartupError(
    `The database in ${cluster} was created by PostgreSQL ${found}, but this release includes PostgreSQL ${ours}. ` +
      'Dump the database with the older release and restore it here, or move the directory to start with an empty database.',
  )
}

async function createCluster(dataDir: DataDir, installation: Installation, options: { durable: boolean }) {
  await refuseForeignFiles(dataDir.cluster)
  const unfinished = await makeUnfinishedDirectory(dataDir)
  const args = initdbArguments(unfinished, dataDir.passwordFile, installation.major, options)
  const { exitCode, output } = await runToEnd(installation.initdb, args, { runAs: dataDir.runAs, cwd: dataDir.path })
  if (exitCode === 0) return publishDirectory(unfinished, dataDir.cluster)

  await rm(unfinished, { recursive: true, force: true })
  // Another start finished first and removed ours. The connection will show whether it still runs.
  if ((await findMajor(dataDir.cluster)) !== undefined) return
  throw initdbFailed(dataDir.path, output)
}

async function refuseForeignFiles(cluster: string) {
  const names = await readdir(cluster).catch((): string[] => [])
  if (names.length === 0 || names.includes('PG_VERSION')) return
  throw new StartupError(
    `${cluster} contains files that do not belong to PostgreSQL. Move them away or set PLIMSOLL_DATA_DIR.`,
  )
}

function initdbArguments(directory: string, passwordFile: string, major: number, { durable }: { durable: boolean }) {
  return [
    `--pgdata=${directory}`,
    '--username=plimsoll',
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--data-checksums',
    // Sorts the same everywhere and needs no locale on the machine; the built-in provider also supports letters beyond
    // ASCII.
    '--locale=C',
    ...(major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : []),
    ...(durable ? [] : ['--no-sync']),
  ]
}

function initdbFailed(path: string, output: string) {
  if (output.includes('could not look up effective user ID')) {
    return new StartupError(
      'PostgreSQL needs a user name, but the user ID of Plimsoll has no entry in /etc/passwd. ' +
        'Run Plimsoll as another user or set DATABASE_URL.',
    )
  }
  const lines = output.trim().split('\n')
  const reason = lines.find((line) => /error:|fatal:/i.test(line)) ?? lines.at(-1)
  return new StartupError(
    `PostgreSQL cannot create its files in ${path} (${reason}). Free disk space or set PLIMSOLL_DATA_DIR.`,
  )
}
