import type { WorkloadFacts } from './cluster-facts.ts'
import { runsAllTheTime } from './judgeable.ts'

/**
 * The kubelet waits at most five minutes before a restart, and resets the delay after ten minutes of running: a crash loop
 * restarts at most 288 and at least 96 times a day. The first delays double from 10 seconds, which adds five restarts.
 */
export const RESTARTS_A_DAY_MAX = 293
export const RESTARTS_A_DAY_MIN = 96
/** Over all its pods. A process that ends every hour and is restarted is not a crash loop. */
export const RESTARTS_A_POD_MIN = 48

type CrashLoop = {
  readonly container: string
  /** Of the last day, over all its pods. */
  readonly restarts: number
  /** The fewest pods that can restart this often. Restarts are not known per pod. */
  readonly pods: number
}

/** Null: its containers do not crash, or restarts are not known. */
export function findCrashLoop(workload: WorkloadFacts): CrashLoop | null {
  const { containers, replicas } = workload
  if (!runsAllTheTime(workload)) return null
  const counted = containers
    .filter(({ kind }) => kind !== 'init')
    .map(({ name, usage }) => ({ container: name, restarts: usage?.restartsOfDay ?? 0 }))
  const [worst] = counted.sort((a, b) => b.restarts - a.restarts)
  if (!worst || worst.restarts < RESTARTS_A_DAY_MIN || worst.restarts / replicas < RESTARTS_A_POD_MIN) return null
  const pods = Math.ceil(worst.restarts / RESTARTS_A_DAY_MAX)
  return { ...worst, pods: Math.min(replicas, pods) }
}
