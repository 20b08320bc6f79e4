import type { Throttling } from '@plimsoll/contract'

export type ContainerThrottling = Throttling & { podUid: string; container: number }

export type SavedThrottling = [podUid: string, reports: number[]][]

/** Container, second, periods and throttled periods. */
const width = 4

/**
 * Reported throttling of containers in one hour. Every container with a CPU limit has several reports per hour, so
 * reports are numbers in one array. A duplicate is found by a scan of the reports of one pod.
 */
export class ThrottlingReports {
  readonly #reports = new Map<string, number[]>()

  /** Returns whether the report is new: a repeated report, or one from two agents, counts once. */
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
