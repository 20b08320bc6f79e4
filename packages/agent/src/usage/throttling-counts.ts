import type { ContainerEvent, Throttling } from '@plimsoll/contract'
import type { ContainerName } from './container-name.ts'
import { findContainer, type FindPod } from './find-container.ts'
import type { PodEntry } from '../observe/pods.ts'

/** Takes up how often the CPU limits of containers made them wait. */
export type ThrottlingSink = {
  /** Since the container was started. */
  counter(container: ContainerName, counted: Throttling): void
  /** Since the last look. */
  increase(container: ContainerName, counted: Throttling): void
}

/** What was counted since it was last told, as events. The first look at a counter only says where it stands. */
export class ThrottlingCounts implements ThrottlingSink {
  readonly #findPod: FindPod
  readonly #second: () => number
  /** By position in the pod; what is known of pods that are gone goes with them. */
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
    // Until it is known whose pod it is nobody has heard of it; what is counted meanwhile is told afterwards.
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
    // The two are read one after the other, so one may be a little ahead.
    const throttling = { periods, throttledPeriods: Math.min(throttledPeriods, periods) }
    this.#events.push({ podRef, container, at: this.#second(), oomKills: 0, restarts: 0, throttling })
  }
}

/** Counters that go back have begun anew: what they show was counted since. */
function since(before: Throttling, now: Throttling): Throttling {
  if (now.periods < before.periods || now.throttledPeriods < before.throttledPeriods) return now
  return {
    periods: now.periods - before.periods,
    throttledPeriods: now.throttledPeriods - before.throttledPeriods,
  }
}
