import type { Condition } from '../observe/observer.ts'
import type { Log } from '../run/log.ts'
import type { ApiAnswer, ApiClient } from '../watch/api-client.ts'

export type ApiHealthOptions = {
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly now: () => number
}

type TroubleKind = 'unreachable' | 'unauthenticated'
type Trouble = { readonly kind: TroubleKind; readonly since: number; readonly paths: Set<string>; detail: string }

const UNAUTHORIZED = 401
/** As a load balancer answers for a server that is away, and a server that is shutting down. */
const unavailable = new Set([502, 503, 504])

/** One path alone may have its own trouble, or an idle connection that the server closed. Two without a success in between have not. */
const pathsMin = 2

const words: Record<TroubleKind, { begins: string; ends: string; reason: string; message: string }> = {
  unreachable: {
    begins: 'the API server is not reachable',
    ends: 'the API server is reachable again',
    reason: 'Unreachable',
    message: 'The agent cannot reach the API server.',
  },
  unauthenticated: {
    begins: 'the API server rejects the login of the agent (401)',
    ends: 'the API server accepts the login of the agent again',
    reason: 'Unauthenticated',
    message: 'The API server rejects the login of the agent (401). Renew its token, certificate or exec plugin login.',
  },
}

/**
 * Whether the API server answers and accepts the login. All watches share one server, so an outage is one log line when it begins
 * and one when it is over, not one for each watch.
 */
export class ApiHealth {
  readonly #options: ApiHealthOptions
  #trouble: Trouble | undefined

  constructor(options: ApiHealthOptions) {
    this.#options = options
  }

  /** The same client; every answer and every failure is counted. */
  observe(client: ApiClient): ApiClient {
    return {
      get: async (path, query, signal, accept) => {
        try {
          const answer = await client.get(path, query, signal, accept)
          this.#heard(path, answer)
          return answer
        } catch (error) {
          if (!signal.aborted || isTimeout(signal)) this.#failed('unreachable', path, messageOf(error))
          throw error
        }
      },
    }
  }

  condition(): Condition | undefined {
    if (!this.#trouble || this.#trouble.paths.size < pathsMin) return undefined
    const { kind, detail } = this.#trouble
    const { reason, message } = words[kind]
    return { kind: 'api_server', status: 'failing', reason, message, detail }
  }

  #heard(path: string, { status }: ApiAnswer): void {
    if (status === UNAUTHORIZED) this.#failed('unauthenticated', path, 'the API server answered 401')
    else if (unavailable.has(status)) this.#failed('unreachable', path, `the API server answered ${status}`)
    else if (status < 500) this.#end()
  }

  #failed(kind: TroubleKind, path: string, detail: string): void {
    if (this.#trouble?.kind !== kind) {
      this.#end()
      this.#trouble = { kind, since: this.#options.now(), paths: new Set(), detail }
    }
    const before = this.#trouble.paths.size
    this.#trouble.paths.add(path)
    this.#trouble.detail = detail
    if (before < pathsMin && this.#trouble.paths.size === pathsMin) {
      this.#options.log('warn', words[kind].begins, { detail })
    }
  }

  #end(): void {
    const trouble = this.#trouble
    this.#trouble = undefined
    if (!trouble || trouble.paths.size < pathsMin) return
    const seconds = Math.round((this.#options.now() - trouble.since) / 1000)
    this.#options.log('info', words[trouble.kind].ends, { seconds })
  }
}

const isTimeout = (signal: AbortSignal) => (signal.reason as Error | undefined)?.name === 'TimeoutError'

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
