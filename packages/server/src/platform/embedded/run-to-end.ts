import { spawn } from 'node:child_process'

/** PostgreSQL refuses to run as root, so root uses another user id. Other users run it as themselves. */
export type RunAs = { uid: number; gid: number } | undefined

/** Our environment is not inherited: variables such as PGDATA or LC_ALL would make the server depend on its caller. */
export const cleanEnvironment = { LC_ALL: 'C', TZ: 'UTC' }

/** Never rejects: a command that cannot start has failed. */
export function runToEnd(command: string, args: string[], { runAs, cwd }: { runAs: RunAs; cwd: string }) {
  return new Promise<{ exitCode: number; output: string }>((resolve) => {
    const child = spawn(command, args, { ...runAs, cwd, env: cleanEnvironment, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', (error) => resolve({ exitCode: 1, output: error.message }))
    child.on('close', (exitCode) => resolve({ exitCode: exitCode ?? 1, output }))
  })
}
