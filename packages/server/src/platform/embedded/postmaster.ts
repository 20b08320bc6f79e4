import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DataDir } from './data-dir.ts'
import type { Installation } from './installation.ts'
import { isPostgresOf } from './is-postgres-of.ts'
import { cleanEnvironment } from './run-to-end.ts'
import { isInUse, sendSignal } from './send-signal.ts'

/** The parent of all processes of one PostgreSQL server. */
export type Postmaster = {
  pid: number
  port: number
  cluster: string
  /** Set when this process started it; its output begins at `logStart` in the log file. */
  started?: { child: ChildProcess; logStart: number }
}

/** The postmaster of this cluster, started by any process. */
export async function findPostmaster(cluster: string): Promise<Postmaster | undefined> {
  const [pid, , , port] = await readPidFile(cluster)
  if (!pid || !port || !(await isPostgresOf(cluster, Number(pid)))) return undefined
  return { pid: Number(pid), port: Number(port), cluster }
}

type StartOptions = { dataDir: DataDir; installation: Installation; settings: Record<string, string>; port: number }

/** In a separate process group, so that Ctrl-C in a terminal reaches it only through us, as a clean stop. */
export async function startPostmaster({ dataDir, installation, settings, port }: StartOptions): Promise<Postmaster> {
  const { cluster, runAs, logFile } = dataDir
  await disownPidFile(cluster)
  const log = await openLog(logFile)
  try {
    const logStart = (await log.stat()).size
    const args = ['-D', cluster, '-p', String(port), ...Object.entries(settings).flatMap(asArgument)]
    const stdio = ['ignore' as const, log.fd, log.fd]
    const child = spawn(installation.postgres, args, {
      ...runAs,
      cwd: cluster,
      env: cleanEnvironment,
      stdio,
      detached: true,
    })
    await once(child, 'spawn')
    // The connection to the server keeps this process alive, not the child process.
    child.unref()
    return { pid: child.pid ?? 0, port, cluster, started: { child, logStart } }
  } finally {
    await log.close()
  }
}

const asArgument = ([name, value]: [string, string]) => ['-c', `${name}=${value}`]

export async function isRunning({ pid, cluster, started }: Postmaster): Promise<boolean> {
  if (started) return started.child.exitCode === null && started.child.signalCode === null
  return isPostgresOf(cluster, pid)
}

/** Disconnects its clients, flushes everything and ends. A server that takes too long recovers later. */
export async function stopPostmaster(postmaster: Postmaster) {
  if (await endsAfter(postmaster, 'SIGINT', 60_000)) return
  await killPostmaster(postmaster)
}

/** Not a clean end, but a safe one: the next start replays acknowledged writes from the log. */
export async function killPostmaster(postmaster: Postmaster) {
  if (await endsAfter(postmaster, 'SIGQUIT', 1_000)) return
  await endsAfter(postmaster, 'SIGKILL', 5_000)
}

async function endsAfter(postmaster: Postmaster, signal: NodeJS.Signals, waitMs: number) {
  const deadline = performance.now() + waitMs
  if (!(await isRunning(postmaster))) return true
  sendSignal(postmaster.pid, signal)
  while (performance.now() < deadline) {
    if (!(await isRunning(postmaster))) return true
    await sleep(20)
  }
  return false
}

async function readPidFile(cluster: string) {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => '')
  return text.split('\n')
}

/**
 * PostgreSQL does not start while another process has the id of its predecessor, as after a container restart. It
 * ignores the id of its parent, so the file gets our id. Removing the file would also remove its protection against
 * leftover processes.
 */
async function disownPidFile(cluster: string) {
  const [pid, ...rest] = await readPidFile(cluster)
  if (!pid || !isInUse(Number(pid)) || (await isPostgresOf(cluster, Number(pid)))) return
  await writeFile(join(cluster, 'postmaster.pid'), [process.pid, ...rest].join('\n'))
}

const logBytesMax = 10 * 1024 * 1024

async function openLog(logFile: string) {
  const size = await stat(logFile).then(
    (stats) => stats.size,
    () => 0,
  )
  if (size > logBytesMax) await rename(logFile, `${logFile}.1`)
  return open(logFile, 'a', 0o600)
}
