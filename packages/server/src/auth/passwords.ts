import { hash, verify } from '@node-rs/argon2'
import { Problem } from '../problem.ts'

/** Argon2id as OWASP advises for servers: 19 MiB, two passes, one lane. */
const options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

const runningMax = 2
const waitingMax = 100

/** Hashing costs real memory and time, so only a few run at once and a flood is refused instead of queued for ever. */
export class Passwords {
  #running = 0
  readonly #waiting: (() => void)[] = []
  readonly #decoy: Promise<string>

  constructor() {
    this.#decoy = hash('no user has this password', options)
  }

  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(password, options))
  }

  /** Does the same work when there is nothing to compare with, so that time does not tell whether a user exists. */
  verify(password: string, passwordHash: string | null): Promise<boolean> {
    return this.#inTurn(
      async () => (await verify(passwordHash ?? (await this.#decoy), password)) && passwordHash !== null,
    )
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running < runningMax) this.#running += 1
    else await this.#wait()
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running -= 1
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= waitingMax) {
      throw new Problem('service_unavailable', 'Too many log-ins are being checked at once.', {
        headers: { 'retry-after': '5' },
      })
    }
    return new Promise((resolve) => this.#waiting.push(resolve))
  }
}
