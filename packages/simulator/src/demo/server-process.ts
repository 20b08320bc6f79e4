import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

export type ServerProcess = {
  /** Resolves with its exit code, whoever ended it. */
  readonly ended: Promise<number>
  /** Whether it can serve; false when it ended instead, and has said why. */
  readonly ready: Promise<boolean>
  stop(): Promise<void>
}

const earlierClock = new URL('earlier-clock.mjs', import.meta.url).href

/** Starts the built service, on a clock that is so many seconds slow. */
export function startServer(main: string, env: NodeJS.ProcessEnv, secondsSlow = 0): ServerProcess {
  const clock = secondsSlow > 0 ? ['--import', earlierClock] : []
  // A group of its own: Ctrl-C reaches us first, and we stop the agents before the server.
  const child = spawn(process.execPath, [...clock, main], {
    env: { ...env, ...(secondsSlow > 0 ? { DEMO_CLOCK_SECONDS_SLOW: String(secondsSlow) } : {}) },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = endOf(child)
  return {
    ended,
    // It prints its address when it listens. Asking the port could be answered by somebody else.
    ready: Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)]),
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
