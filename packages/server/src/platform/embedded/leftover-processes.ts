import { readdir, readFile } from 'node:fs/promises'
import { isPostgresOf } from './is-postgres-of.ts'
import { sendSignal } from './send-signal.ts'

/**
 * A killed server leaves processes behind that still work on a query, and none can start before they have ended. For
 * their data it is the same crash as the server's. Where there is no /proc, they are waited for.
 */
export async function endLeftoverProcesses(cluster: string) {
  const names = await readdir('/proc').catch((): string[] => [])
  for (const pid of names.map(Number).filter(Number.isInteger)) {
    if (await isLeftover(cluster, pid)) sendSignal(pid, 'SIGQUIT')
  }
}

/** Such a process calls itself 'postgres: …'; only the postmaster, its parent, shows how it was started. */
async function isLeftover(cluster: string, pid: number) {
  if (!(await isPostgresOf(cluster, pid))) return false
  const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const parent = Number(/^PPid:\s+(\d+)/m.exec(status)?.[1])
  return title.startsWith('postgres: ') && !(await isPostgresOf(cluster, parent))
}
