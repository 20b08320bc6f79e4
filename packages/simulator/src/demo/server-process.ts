import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'

export type ServerProcess = {
  /** Resolves with the exit code. */
  readonly ended: Promise<number>
  /** Whether the service is ready; false: it exited and printed the reason. */
  readonly ready: Promise<boolean>
  stop(): Promise<void>
}

// The path is the same from the sources and from the bundle.
const earlierClock = new URL('../../src/demo/earlier-clock.mjs', import.meta.url).href

/** Starts the built service with a clock that is this many seconds slow. */
export function startServer(main: string, env: NodeJS.ProcessEnv, secondsSlow = 0): ServerProcess {
  const clock = secondsSlow > 0 ? ['--import', earlierClock] : []
  // A separate process group: the demo receives Ctrl-C first, and stops the agents before the server.
  const child = spawn(process.execPath, [...clock, main], {
    env: { ...env, ...(secondsSlow > 0 ? { DEMO_CLOCK_SECONDS_SLOW: String(secondsSlow) } : {}) },
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = endOf(child)
  return {
    ended,
    // The service prints its address when it listens. Another process could answer on the port.
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
