import { readdir, readFile } from 'node:fs/promises'
import { isPostgresOf } from './is-postgres-of.ts'
import { sendSignal } from './send-signal.ts'

/**
 * A killed server leaves processes that still run a query, and no server can start before they end. Ending them is the
 * same crash for their data. Without /proc, the start waits for them.
 */
export async function endLeftoverProcesses(cluster: string) {
  const names = await readdir('/proc').catch((): string[] => [])
  for (const pid of names.map(Number).filter(Number.isInteger)) {
    if (await isLeftover(cluster, pid)) sendSignal(pid, 'SIGQUIT')
  }
}

/** Such a process has the title 'postgres: …'; only the postmaster, its parent, has a command line. */
async function isLeftover(cluster: string, pid: number) {
  if (!(await isPostgresOf(cluster, pid))) return false
  const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])
  return title.startsWith('postgres: ') && !(await isPostgresOf(cluster, parent))
}
