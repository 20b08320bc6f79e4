import type { Throttling } from '@plimsoll/contract'

export type ContainerThrottling = Throttling & { podUid: string; container: number }

export type SavedThrottling = [podUid: string, tellings: number[]][]

/** Container, second, periods and throttled periods. */
const width = 4

/**
 * How often the containers of pods were throttled in one hour, as it was told. Every container with a CPU limit has several tellings
 * in an hour, so they are numbers one after the other; what was told before is found by looking through those of one pod.
 */
export class ThrottlingTold {
  readonly #tellings = new Map<string, number[]>()

  /** Whether it is new: the same twice, or from two agents, counts once. */
  add(podUid: string, container: number, at: number, { periods, throttledPeriods }: Throttling): boolean {
    const tellings = this.#tellings.get(podUid) ?? []
    for (let start = 0; start < tellings.length; start += width) {
      if (tellings[start] === container && tellings[start + 1] === at) return false
    }
    tellings.push(container, at, periods, throttledPeriods)
    this.#tellings.set(podUid, tellings)
    return true
  }

  *each(): Generator<ContainerThrottling> {
    for (const [podUid, tellings] of this.#tellings) {
      for (let start = 0; start < tellings.length; start += width) {
        const [container = 0, , periods = 0, throttledPeriods = 0] = tellings.slice(start, start + width)
        yield { podUid, container, periods, throttledPeriods }
      }
    }
  }

  save(): SavedThrottling {
    return [...this.#tellings]
  }

  static load(saved: SavedThrottling): ThrottlingTold {
    const told = new ThrottlingTold()
    for (const [podUid, tellings] of saved) told.#tellings.set(podUid, [...tellings])
    return told
  }
}
