import { spawn } from 'node:child_process'

/** PostgreSQL refuses to run as root, so root lends it another user id. Anyone else runs it as themselves. */
export type RunAs = { uid: number; gid: number } | undefined

/** Ours is not passed on: variables such as PGDATA or LC_ALL would make the server depend on who started it. */
export const cleanEnvironment = { LC_ALL: 'C', TZ: 'UTC' }

/** Never rejects: a command that cannot be started has failed like any other. */
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
