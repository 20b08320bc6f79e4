import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'
import { freePort } from '../../../test/free-port.ts'
import { patience } from './patience.ts'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))

export type Environment = Record<string, string>

/**
 * The service as `npm start` runs it, built before the tests: a separate process with only these environment
 * variables.
 */
export class ServerProcess {
  readonly port: number
  readonly #child: ChildProcess
  readonly #startsPostgres: boolean
  readonly #exited: Promise<number | null>
  stdout = ''
  stderr = ''

  constructor(port: number, environment: Environment) {
    this.port = port
    this.#startsPostgres = environment.DATABASE_URL === undefined
    const { PATH = '', HOME = '', TMPDIR } = process.env
    const inherited = { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }) }
    this.#child = spawn(process.execPath, [main], {
      env: { ...inherited, PORT: String(port), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()))
    this.#child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()))
    this.#exited = once(this.#child, 'close').then(([code]) => code as number | null)
  }

  get output(): string {
    return `${this.stdout}\n${this.stderr}`
  }

  /** The start block is printed when everything listens. */
  async ready(): Promise<this> {
    const started = vi.waitUntil(() => this.stdout.includes('  Data  '), { ...patience, interval: 20 })
    const failed = this.#exited.then((code) => {
      throw new Error(`the service ended with ${code} instead of starting: ${this.output}`)
    })
    await Promise.race([started, failed])
    return this
  }

  exitCode(): Promise<number | null> {
    return this.#exited
  }

  signal(name: 'SIGTERM' | 'SIGINT'): void {
    this.#child.kill(name)
  }

  async stop(): Promise<number | null> {
    this.signal('SIGTERM')
    return this.#exited
  }

  /** For the end of a test, in any state. A server that has started PostgreSQL must stop it. */
  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return void (await this.#exited)
    this.#child.kill(this.#startsPostgres ? 'SIGTERM' : 'SIGKILL')
    const stuck = setTimeout(() => this.#child.kill('SIGKILL'), patience.timeout)
    await this.#exited
    clearTimeout(stuck)
  }
}

/** Another program may take a free port before the service does; then the next port is tried. */
export async function startServer(environment: Environment): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt += 1) {
    const server = new ServerProcess(await freePort(), environment)
    try {
      return await server.ready()
    } catch (error) {
      await server.end()
      if (attempt === 3 || !server.stderr.includes('is in use')) throw error
    }
  }
}

export type Reply = { status: number; headers: Headers; body: unknown }

export type Request = { method?: string; headers?: Record<string, string>; body?: unknown }

export async function call(server: { port: number }, path: string, request: Request = {}): Promise<Reply> {
  const { method = 'GET', headers = {}, body } = request
  const response = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    redirect: 'manual',
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return { status: response.status, headers: response.headers, body: isJson ? (JSON.parse(text) as unknown) : text }
}
