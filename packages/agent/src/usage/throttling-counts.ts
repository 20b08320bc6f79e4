import type { ContainerEvent, Throttling } from '@plimsoll/contract'
import type { ContainerName } from './container-name.ts'
import { findContainer, type FindPod } from './find-container.ts'
import type { PodEntry } from '../observe/pods.ts'

/** Receives throttling of containers. */
export type ThrottlingSink = {
  /** Since the start of the container. */
  counter(container: ContainerName, counted: Throttling): void
  /** Since the last sample. */
  increase(container: ContainerName, counted: Throttling): void
}

/** Throttling since the last call, as events. The first sample of a counter is only the baseline. */
export class ThrottlingCounts implements ThrottlingSink {
  readonly #findPod: FindPod
  readonly #second: () => number
  /** By container index; entries of deleted pods are garbage-collected. */
  readonly #counters = new WeakMap<PodEntry, Map<number, Throttling>>()
  #events: ContainerEvent[] = []

  constructor(findPod: FindPod, second: () => number) {
    this.#findPod = findPod
    this.#second = second
  }

  counter(container: ContainerName, counted: Throttling): void {
    const found = findContainer(this.#findPod, container)
    if (!found) return
    const counters = this.#counters.get(found.entry) ?? new Map<number, Throttling>()
    this.#counters.set(found.entry, counters)
    const before = counters.get(found.index)
    // A pod is not sent until its workload is known; its counts are sent afterwards.
    if (before && found.entry.facts.workload === undefined) return
    counters.set(found.index, counted)
    if (before) this.#record(found.entry, found.index, since(before, counted))
  }

  increase(container: ContainerName, counted: Throttling): void {
    const found = findContainer(this.#findPod, container)
    if (found?.entry.facts.workload) this.#record(found.entry, found.index, counted)
  }

  take(): ContainerEvent[] {
    const events = this.#events
    this.#events = []
    return events
  }

  #record({ ref: podRef }: PodEntry, container: number, { periods, throttledPeriods }: Throttling): void {
    if (periods <= 0) return
    // The two counters are read one after the other, so one may be slightly ahead.
    const throttling = { periods, throttledPeriods: Math.min(throttledPeriods, periods) }
    this.#events.push({ podRef, container, at: this.#second(), oomKills: 0, restarts: 0, throttling })
  }
}

/** A decreasing counter has restarted at 0, so its value is the increase. */
function since(before: Throttling, now: Throttling): Throttling {
  if (now.periods < before.periods || now.throttledPeriods < before.throttledPeriods) return now
  return {
    periods: now.periods - before.periods,
    throttledPeriods: now.throttledPeriods - before.throttledPeriods,
  }
}
