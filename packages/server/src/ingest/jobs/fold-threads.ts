import { availableParallelism } from 'node:os'
import { FoldThread, type FoldThreadOptions } from './fold-thread.ts'
import type { Folding } from '../../platform/background.ts'
import { lanes } from '../../platform/jobs/job-table.ts'

/** As many as the queue folds clusters at once; more would only take memory and time from the answers to requests. */
const threadsMax = lanes.fold.width

/** Far more than the largest clusters take; what takes more is stopped before the machine runs out. */
const memoryMibMax = 4096

export function openFoldThreads(options: Omit<FoldThreadOptions, 'memoryMibMax'>): FoldThreads {
  const count = Math.min(threadsMax, availableParallelism())
  const one = () => new FoldThread({ ...options, memoryMibMax: memoryMibMax / count })
  return new FoldThreads(Array.from({ length: count }, one))
}

/**
 * Spreads clusters over threads. Each stays with its thread, which keeps its state; a thread starts with its first cluster, so
 * that a service of one cluster has one.
 */
export class FoldThreads implements Folding {
  readonly #threads: readonly Folding[]
  readonly #threadOf = new Map<string, Folding>()
  /** How many runs each of them has to do. */
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

  /** Of those with as little to do, the one with fewer clusters. */
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
