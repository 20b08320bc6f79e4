import type { Condition } from '../observer.ts'
import type { Log } from '../log.ts'
import { UNAUTHORIZED, type ApiAnswer, type ApiClient } from '../watch/api-client.ts'
import { LoginError } from './cluster-access.ts'

export type ApiHealthOptions = {
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now: () => number
}

type Words = { begins: string; ends: string; reason: string; message: string }

const unreachableWords: Words = {
  begins: 'the API server is not reachable',
  ends: 'the API server is reachable again',
  reason: 'Unreachable',
  message: 'The agent cannot reach the API server.',
}
const unauthenticatedWords: Words = {
  begins: 'the API server rejected the credentials of the agent (401)',
  ends: 'the API server accepts the credentials of the agent again',
  reason: 'Unauthenticated',
  message:
    'The API server rejected the credentials of the agent (401). Renew the token, the client certificate or the exec plugin credentials.',
}

/** Statuses of a load balancer without a healthy server, and of a server that shuts down. */
const unavailable = new Set([502, 503, 504])

/**
 * Tracks whether the API server responds and accepts the login. All watches share one server, so an outage causes one
 * log line at its start and one at its end.
 */
export class ApiHealth {
  readonly #unreachable: Trouble
  readonly #unauthenticated: Trouble

  constructor(options: ApiHealthOptions) {
    this.#unreachable = new Trouble(unreachableWords, options)
    this.#unauthenticated = new Trouble(unauthenticatedWords, options)
  }

  /** Wraps the client and counts every response and failure. */
  observe(client: ApiClient): ApiClient {
    return {
      get: async (path, query, signal, accept) => {
        try {
          const answer = await client.get(path, query, signal, accept)
          this.#recordAnswer(path, answer)
          return answer
        } catch (error) {
          if (error instanceof LoginError) this.#unauthenticated.failed(path, error.message)
          else if (!signal.aborted || isTimeout(signal)) this.#unreachable.failed(path, messageOf(error))
          throw error
        }
      },
    }
  }

  condition(): Condition | undefined {
    return this.#unreachable.condition() ?? this.#unauthenticated.condition()
  }

  #recordAnswer(path: string, { status }: ApiAnswer): void {
    if (unavailable.has(status)) return this.#unreachable.failed(path, `the API server answered ${status}`)
    this.#unreachable.succeeded()
    if (status === UNAUTHORIZED) this.#unauthenticated.failed(path, 'the API server answered 401')
    else if (status < 500) this.#unauthenticated.succeeded()
  }
}

/**
 * A single path may fail for its own reason, or on a closed idle connection. Two failing paths without a success are an
 * outage.
 */
const pathsMin = 2
/** A starting server alternates between success and failure, so an outage ends after this time without a failure. */
const settleMs = 5000

class Trouble {
  readonly #words: Words
  readonly #options: ApiHealthOptions
  readonly #paths = new Set<string>()
  #since = 0
  #detail = ''
  #isOpen = false
  #settling: { readonly endedAt: number; readonly timer: NodeJS.Timeout } | undefined

  constructor(words: Words, options: ApiHealthOptions) {
    this.#words = words
    this.#options = options
  }

  failed(path: string, detail: string): void {
    clearTimeout(this.#settling?.timer)
    this.#settling = undefined
    if (this.#paths.size === 0 && !this.#isOpen) this.#since = this.#options.now()
    this.#paths.add(path)
    this.#detail = detail
    if (this.#isOpen || this.#paths.size < pathsMin) return
    this.#isOpen = true
    this.#options.log('warn', this.#words.begins, { detail })
  }

  succeeded(): void {
    this.#paths.clear()
    if (!this.#isOpen || this.#settling) return
    const timer = setTimeout(() => this.#end(), settleMs)
    timer.unref()
    this.#settling = { endedAt: this.#options.now(), timer }
  }

  condition(): Condition | undefined {
    if (!this.#isOpen) return undefined
    const { reason, message } = this.#words
    return { kind: 'api_server', status: 'failing', reason, message, detail: this.#detail }
  }

  #end(): void {
    const seconds = Math.round(((this.#settling?.endedAt ?? 0) - this.#since) / 1000)
    this.#isOpen = false
    this.#settling = undefined
    this.#options.log('info', this.#words.ends, { seconds })
  }
}

const isTimeout = (signal: AbortSignal) => (signal.reason as Error | undefined)?.name === 'TimeoutError'

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
