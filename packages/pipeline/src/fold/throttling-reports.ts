import type { Throttling } from '@plimsoll/contract'

export type ContainerThrottling = Throttling & { podUid: string; container: number }

export type SavedThrottling = [podUid: string, reports: number[]][]

/** Container, second, periods and throttled periods. */
const width = 4

/**
 * How often the containers of pods were throttled in one hour, as it was told. Every container with a CPU limit has several tellings
 * in an hour, so they are numbers one after the other; what was told before is found by looking through those of one pod.
 */
export class ThrottlingReports {
  readonly #reports = new Map<string, number[]>()

  /** Whether it is new: the same twice, or from two agents, counts once. */
  add(podUid: string, container: number, at: number, { periods, throttledPeriods }: Throttling): boolean {
    const reports = this.#reports.get(podUid) ?? []
    for (let start = 0; start < reports.length; start += width) {
      if (reports[start] === container && reports[start + 1] === at) return false
    }
    reports.push(container, at, periods, throttledPeriods)
    this.#reports.set(podUid, reports)
    return true
  }

  *each(): Generator<ContainerThrottling> {
    for (const [podUid, reports] of this.#reports) {
      for (let start = 0; start < reports.length; start += width) {
        const [container = 0, , periods = 0, throttledPeriods = 0] = reports.slice(start, start + width)
        yield { podUid, container, periods, throttledPeriods }
      }
    }
  }

  save(): SavedThrottling {
    return [...this.#reports]
  }

  static load(saved: SavedThrottling): ThrottlingReports {
    const loaded = new ThrottlingReports()
    for (const [podUid, reports] of saved) loaded.#reports.set(podUid, [...reports])
    return loaded
  }
}
