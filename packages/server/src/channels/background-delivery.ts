import type { FastifyBaseLogger } from 'fastify'
import type { DeliverChannel, Delivering } from '../platform/background.ts'

/** The sweep finds messages that are due later than this. */
const timerMsMax = 60_000

/** A due message may wait for an earlier one that another server is sending. */
const timerMsMin = 1_000

type Options = { log: FastifyBaseLogger; now: () => Date }

/** Sends the messages of each channel in a separate loop: a slow receiver delays its own messages only. */
export class BackgroundDelivery implements Delivering {
  readonly #options: Options
  readonly #running = new Map<string, Promise<void>>()
  readonly #again = new Set<string>()
  readonly #timers = new Map<string, NodeJS.Timeout>()
  #isClosing = false

  constructor(options: Options) {
    this.#options = options
  }

  /** Returns at once. A channel whose loop runs already is checked again. */
  async start(channelId: string, deliver: DeliverChannel): Promise<void> {
    if (this.#isClosing) return
    if (this.#running.has(channelId)) {
      this.#again.add(channelId)
      return
    }
    clearTimeout(this.#timers.get(channelId))
    this.#timers.delete(channelId)
    const running = this.#run(channelId, deliver).finally(() => this.#running.delete(channelId))
    this.#running.set(channelId, running)
  }

  async close(): Promise<void> {
    this.#isClosing = true
    for (const timer of this.#timers.values()) clearTimeout(timer)
    this.#timers.clear()
    await Promise.all(this.#running.values())
  }

  async #run(channelId: string, deliver: DeliverChannel): Promise<void> {
    try {
      let next: Date | undefined
      do {
        this.#again.delete(channelId)
        next = await deliver(() => this.#isClosing)
      } while (this.#again.has(channelId) && !this.#isClosing)
      if (next) this.#wakeAt(channelId, next, deliver)
    } catch (error) {
      this.#options.log.error({ err: error, channelId }, 'cannot deliver the messages of a channel; retrying')
    }
  }

  #wakeAt(channelId: string, at: Date, deliver: DeliverChannel): void {
    const waitMs = Math.max(timerMsMin, at.getTime() - this.#options.now().getTime())
    if (this.#isClosing || waitMs > timerMsMax) return
    const timer = setTimeout(() => void this.start(channelId, deliver), waitMs)
    this.#timers.set(channelId, timer.unref())
  }
}
