import { readFile, readlink, realpath } from 'node:fs/promises'
import { runToEnd } from './run-to-end.ts'

/** Process ids are reused: before a signal or a password is sent, the process must be a server on this cluster. */
export async function isPostgresOf(cluster: string, pid: number): Promise<boolean> {
  try {
    return process.platform === 'linux' ? await isOneOnLinux(cluster, pid) : await isOneElsewhere(cluster, pid)
  } catch {
    return false
  }
}

/** The working directory of PostgreSQL is its data directory. A zombie process has none. */
async function isOneOnLinux(cluster: string, pid: number) {
  const workingDirectory = await readlink(`/proc/${pid}/cwd`)
  const name = await readFile(`/proc/${pid}/comm`, 'utf8')
  return name.trim() === 'postgres' && workingDirectory === (await realpath(cluster))
}

async function isOneElsewhere(cluster: string, pid: number) {
  const args = ['-ww', '-o', 'command=', '-p', String(pid)]
  const { output } = await runToEnd('/bin/ps', args, { runAs: undefined, cwd: '/' })
  return output.includes(`postgres -D ${cluster} `)
}
