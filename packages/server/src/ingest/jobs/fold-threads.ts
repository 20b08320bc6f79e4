import { availableParallelism } from 'node:os'
import { FoldThread, type FoldThreadOptions } from './fold-thread.ts'
import type { Folding } from '../../platform/background.ts'
import { lanes } from '../../platform/jobs/job-lanes.ts'

/** The number of clusters that the queue folds at once; more threads would only take memory and CPU from requests. */
const threadsMax = lanes.fold.width

/** Far more than the largest clusters need; the limit applies before the machine runs out of memory. */
const memoryMibMax = 4096

export function openFoldThreads(options: Omit<FoldThreadOptions, 'memoryMibMax'>): FoldThreads {
  const count = Math.min(threadsMax, availableParallelism())
  const one = () => new FoldThread({ ...options, memoryMibMax: memoryMibMax / count })
  return new FoldThreads(Array.from({ length: count }, one))
}

/**
 * Spreads clusters over threads. Each cluster stays with its thread, which holds its state. A thread starts with its
 * first cluster.
 */
export class FoldThreads implements Folding {
  readonly #threads: readonly Folding[]
  readonly #threadOf = new Map<string, Folding>()
  /** The number of runs of each thread. */
  readonly #running: Map<Folding, number>

  constructor(threads: readonly Folding[]) {
    this.#threads = threads
    this.#running = new Map(threads.map((thread) => [thread, 0]))
  }

  async fold(clusterId: string): Promise<void> {
    const thread = this.#threadOf.get(clusterId) ?? this.#leastBusy()
    this.#threadOf.set(clusterId, thread)
    this.#count(thread, 1)
    try {
      await thread.fold(clusterId)
    } finally {
      this.#count(thread, -1)
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  /** Ties: the thread with fewer clusters. */
  #leastBusy(): Folding {
    const clusters = [...this.#threadOf.values()]
    const load = (thread: Folding) => [
      this.#running.get(thread) ?? 0,
      clusters.filter((each) => each === thread).length,
    ]
    const [first] = this.#threads.toSorted((a, b) => compare(load(a), load(b)))
    if (!first) throw new Error('no batch processing thread is running')
    return first
  }

  #count(thread: Folding, change: number): void {
    this.#running.set(thread, (this.#running.get(thread) ?? 0) + change)
  }
}

const compare = (a: readonly number[], b: readonly number[]): number =>
  (a[0] ?? 0) - (b[0] ?? 0) || (a[1] ?? 0) - (b[1] ?? 0)
