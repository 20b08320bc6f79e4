import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'

export type ServerProcess = {
  /** Resolves with its exit code, whoever ended it. */
  readonly ended: Promise<number>
  stop(): Promise<void>
}

/** Starts the built service and waits until it can serve. Undefined when it ended instead; it has said why. */
export async function startServer(
  main: string,
  url: string,
  env: NodeJS.ProcessEnv,
): Promise<ServerProcess | undefined> {
  // A group of its own: Ctrl-C reaches us first, and we stop the agents before the server.
  const child = spawn(process.execPath, [main], { env, detached: true, stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = endOf(child)
  if (!(await isReady(url, ended))) return undefined
  return {
    ended,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function endOf(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

async function isReady(url: string, ended: Promise<number>): Promise<boolean> {
  for (;;) {
    const state = await Promise.race([ended.then(() => 'ended' as const), ask(url)])
    if (state !== 'waiting') return state === 'ready'
    await wait(200)
  }
}

async function ask(url: string): Promise<'ready' | 'waiting'> {
  try {
    return (await fetch(`${url}/readyz`)).ok ? 'ready' : 'waiting'
  } catch {
    return 'waiting'
  }
}
