import { availableParallelism } from 'node:os'
import { FoldThread, type FoldThreadOptions } from './fold-thread.ts'
import type { Folding } from './folding.ts'

/** As many as the queue has jobs running; more would only take memory and time from whoever answers. */
const threadsMax = 2

/**
 * Spreads clusters over threads. Each stays with its thread, which keeps its state; a thread starts with its first cluster, so
 * that a service of one cluster has one.
 */
export class FoldThreads implements Folding {
  readonly #threads: readonly FoldThread[]
  readonly #placeOf = new Map<string, number>()

  constructor(options: FoldThreadOptions, count: number = Math.min(threadsMax, availableParallelism())) {
    this.#threads = Array.from({ length: count }, () => new FoldThread(options))
  }

  async fold(clusterId: string): Promise<void> {
    const place = this.#placeOf.get(clusterId) ?? this.#placeOf.size % this.#threads.length
    this.#placeOf.set(clusterId, place)
    await this.#threads[place]?.fold(clusterId)
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }
}
