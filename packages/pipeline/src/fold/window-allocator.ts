import type { TimeSpan } from '@plimsoll/engine'
import { makeSpanColumns, type SpanColumns, type Usage } from '@plimsoll/engine/allocation'
import { allocateWindow } from './allocate-window.ts'
import type { FoldState } from './fold-state.ts'
import type { HourSums } from './hour-sums.ts'
import { paidUntil, type NodeRecord, type PodRecord } from './inventory.ts'
import type { UsageOf } from './pod-rows.ts'

/**
 * Small, because most folds see small nodes. Allocating columns for a thousand spans takes longer than folding a
 * minute.
 */
const spansAtFirst = 32

export const noUsage: ReadonlyMap<string, Usage> = new Map()

/** Allocates one window after the other in the same columns, because a minute has thousands of windows. */
export class WindowAllocator {
  readonly #state: FoldState
  #columns = makeSpanColumns(spansAtFirst)

  constructor(state: FoldState) {
    this.#state = state
  }

  allocate(
    node: NodeRecord,
    window: TimeSpan,
    { usageOf, sums, untilOf = paidUntil }: { usageOf: UsageOf; sums: HourSums; untilOf?: (pod: PodRecord) => number },
  ): void {
    const { namespaces } = this.#state.cloudResources
    const ownerOf = (pod: PodRecord) => namespaces.ownerAt(pod, window.from)
    allocateWindow(this.#columnsFor(node), node, { window, view: { usageOf, ownerOf, untilOf }, sums })
  }

  /** Wide enough for all remembered pods of the node in one window. */
  #columnsFor({ pods }: NodeRecord): SpanColumns {
    let spans = 0
    for (const { versions } of pods) for (const { names } of versions) spans += names.length + 1
    if (spans > this.#columns.from.length) this.#columns = makeSpanColumns(2 * spans)
    return this.#columns
  }
}
