import { SECONDS_PER_HOUR } from '@plimsoll/engine'
import type { FoldState } from './fold-state.ts'
import { paidUntil, type NodeRecord, type PodRecord } from './inventory.ts'

const secondsPerMinute = 60
const minutesPerHour = 60

/**
 * Until when nodes and pods are known to have existed. An object that disappeared in a gap may have ended at its
 * beginning. Its replacement is known from its own start, so both together would count time twice.
 */
export class LastSeen {
  readonly #state: FoldState
  readonly #known = new Map<number, number>()

  constructor(state: FoldState) {
    this.#state = state
  }

  readonly nodeUntil = (node: NodeRecord): number => this.#until(node)

  readonly podUntil = (pod: PodRecord): number => Math.min(paidUntil(pod), this.#until(pod))

  /** The last observation before this second: the end of a reported minute, or a snapshot. */
  before(second: number): number {
    const known = this.#known.get(second)
    if (known !== undefined) return known
    const snapshots = [...this.#state.snapshotTimes].filter((at) => at < second)
    const last = Math.max(Math.min(second, this.#reportedBefore(second)), ...snapshots)
    this.#known.set(second, last)
    return last
  }

  #until({ endedAt, missedAt }: NodeRecord | PodRecord): number {
    return endedAt === missedAt && Number.isFinite(missedAt) ? this.before(missedAt) : endedAt
  }

  #reportedBefore(second: number): number {
    const { hours } = this.#state
    const hoursBack = [...hours.keys()].filter((hour) => hour * SECONDS_PER_HOUR < second).sort((a, b) => b - a)
    for (const hour of hoursBack) {
      const start = hour * SECONDS_PER_HOUR
      const end = Math.min(minutesPerHour, Math.ceil((second - start) / secondsPerMinute))
      let last = -1
      for (const mask of hours.get(hour)?.masks.values() ?? []) {
        last = Math.max(last, mask.lastBefore(end))
        if (last === end - 1) break
      }
      if (last >= 0) return start + (last + 1) * secondsPerMinute
    }
    return Number.NEGATIVE_INFINITY
  }
}
