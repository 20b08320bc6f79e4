import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

type Thing = { metadata: { uid: string; name: string; [more: string]: unknown }; [more: string]: unknown }
type Mishap = (request: IncomingMessage, response: ServerResponse) => void

/**
 * An API server over real HTTP with the given objects. It runs the configured failures in order before it answers
 * normally.
 */
export class FakeApi {
  readonly #things = new Map<string, Map<string, Thing>>()
  readonly #mishaps = new Map<string, Mishap[]>()
  readonly #watchers = new Map<string, Set<ServerResponse>>()
  readonly #absent = new Map<string, number>()
  readonly #server = createServer((request, response) => this.#answer(request, response))
  #version = 1
  readonly requests: string[] = []

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const address = this.#server.address()
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
  }

  stop(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  /** Creates or changes an object, and notifies the watches. */
  set(path: string, thing: Thing): void {
    const things = this.#thingsAt(path)
    const type = things.has(thing.metadata.uid) ? 'MODIFIED' : 'ADDED'
    things.set(thing.metadata.uid, thing)
    this.#announce(path, type, thing)
  }

  delete(path: string, uid: string, { isAnnounced = true } = {}): void {
    const thing = this.#thingsAt(path).get(uid)
    this.#thingsAt(path).delete(uid)
    if (thing && isAnnounced) this.#announce(path, 'DELETED', thing)
  }

  /** The failures of the next lists (`list /path`) or watches (`watch /path`). */
  mishap(of: string, ...mishaps: Mishap[]): void {
    this.#mishaps.set(of, [...(this.#mishaps.get(of) ?? []), ...mishaps])
  }

  /** Sets the status of a path; 200 restores it. */
  answerWith(path: string, status: number): void {
    this.#absent.set(path, status)
  }

  /** Writes a line to the watches of this path. */
  send(path: string, line: unknown): void {
    for (const watcher of this.#watchers.get(path) ?? []) watcher.write(`${JSON.stringify(line)}\n`)
  }

  endWatches(path: string): void {
    for (const watcher of this.#watchers.get(path) ?? []) watcher.end()
  }

  watchersOf(path: string): number {
    return this.#watchers.get(path)?.size ?? 0
  }

  #thingsAt(path: string): Map<string, Thing> {
    const things = this.#things.get(path) ?? new Map<string, Thing>()
    this.#things.set(path, things)
    return things
  }

  #announce(path: string, type: string, thing: Thing): void {
    this.#version += 1
    const metadata = { ...thing.metadata, resourceVersion: String(this.#version) }
    this.send(path, { type, object: { ...thing, metadata } })
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const what = `${searchParams.has('watch') ? 'watch' : 'list'} ${pathname}`
    const selector = searchParams.get('fieldSelector')
    this.requests.push(selector === null ? what : `${what}?fieldSelector=${selector}`)
    const mishap = this.#mishaps.get(what)?.shift()
    if (mishap) return mishap(request, response)
    const status = this.#absent.get(pathname) ?? 200
    if (status !== 200) return void response.writeHead(status).end('{"kind":"Status"}')
    if (pathname === '/version') return void response.end('{"gitVersion":"v1.35.0"}')
    if (searchParams.has('watch')) return this.#watch(pathname, response)
    this.#list(pathname, searchParams, response)
  }

  #list(path: string, query: URLSearchParams, response: ServerResponse): void {
    const things = [...this.#thingsAt(path).values()]
    const from = Number(query.get('continue') ?? 0)
    const to = from + Number(query.get('limit') ?? things.length)
    const metadata = { resourceVersion: String(this.#version), continue: to < things.length ? String(to) : '' }
    response.end(JSON.stringify({ kind: 'List', metadata, items: things.slice(from, to) }))
  }

  #watch(path: string, response: ServerResponse): void {
    response.flushHeaders()
    const watchers = this.#watchers.get(path) ?? new Set()
    this.#watchers.set(path, watchers)
    watchers.add(response)
    response.on('close', () => watchers.delete(response))
  }
}

export const refuse =
  (status: number, headers: Record<string, string> = {}): Mishap =>
  (_request, response) =>
    void response.writeHead(status, headers).end('{"kind":"Status"}')

/** A list that is cut in the middle. */
export const cutList: Mishap = (_request, response) => {
  response.write(
    '{"metadata":{"resourceVersion":"1"},"items":[{"metadata":{"uid":"ghost","name":"ghost"}},{"meta',
    () => response.destroy(),
  )
}

/** A connection without any data. */
export const fallSilent: Mishap = (_request, response) => response.flushHeaders()
