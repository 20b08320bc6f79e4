import { hash, verify } from '@node-rs/argon2'
import { Problem } from '../http/problem.ts'

/** Argon2id as OWASP recommends for servers: 19 MiB, two passes, one lane. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const runningMax = 2
const waitingMax = 100

/** Known callers have their own queue, which is served first: unknown callers cannot block them. */
type Lane = 'known' | 'stranger'

type Argon2 = { hash: typeof hash; verify: typeof verify }

/**
 * Hashing takes memory and time, so only a few run at once and further requests are rejected instead of queued without
 * limit.
 */
export class Passwords {
  #running = 0
  readonly #waiting: Record<Lane, (() => void)[]> = { known: [], stranger: [] }
  readonly #argon2: Argon2
  readonly #decoy: Promise<string>

  constructor(argon2: Argon2 = { hash, verify }) {
    this.#argon2 = argon2
    this.#decoy = argon2.hash('no user has this password', options)
  }

  /** Callers have a credential or a one-time link. */
  hash(password: string): Promise<string> {
    return this.#inTurn('known', () => this.#argon2.hash(password, options))
  }

  /** Does the same work without a hash, so that timing does not reveal whether a user exists. */
  verify(password: string, passwordHash: string | null, lane: Lane): Promise<boolean> {
    return this.#inTurn(
      lane,
      async () => (await this.#argon2.verify(passwordHash ?? (await this.#decoy), password)) && passwordHash !== null,
    )
  }

  async #inTurn<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    if (this.#running < runningMax) this.#running += 1
    else await this.#wait(lane)
    try {
      return await work()
    } finally {
      const next = this.#waiting.known.shift() ?? this.#waiting.stranger.shift()
      if (next) next()
      else this.#running -= 1
    }
  }

  #wait(lane: Lane): Promise<void> {
    const waiting = this.#waiting[lane]
    if (waiting.length >= waitingMax) {
      throw new Problem('service_unavailable', 'Too many sign-ins at the same time. Try again in 5 seconds.', {
        headers: { 'retry-after': '5' },
      })
    }
    return new Promise((resolve) => waiting.push(resolve))
  }
}
