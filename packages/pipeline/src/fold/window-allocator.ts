import type { TimeSpan } from '@plimsoll/engine'
import { makeSpanColumns, type SpanColumns, type Usage } from '@plimsoll/engine/allocation'
import { allocateWindow } from './allocate-window.ts'
import type { FoldState } from './fold-state.ts'
import type { HourSums } from './hour-sums.ts'
import { paidUntil, type NodeRecord, type PodRecord } from './inventory.ts'
import type { UsageOf } from './pod-rows.ts'

/** Few: most folds see small nodes, and columns for a thousand spans take longer to make than a minute takes to fold. */
const spansAtFirst = 32

export const noUsage: ReadonlyMap<string, Usage> = new Map()

/** Allocates one window after the other in the same columns: there are thousands in a minute. */
export class WindowAllocator {
  readonly #state: FoldState
  #columns = makeSpanColumns(spansAtFirst)

  constructor(state: FoldState) {
    this.#state = state
  }

  allocate(
    node: NodeRecord,
    window: TimeSpan,
    usageOf: UsageOf,
    sums: HourSums,
    untilOf: (pod: PodRecord) => number = paidUntil,
  ): void {
    const { namespaces } = this.#state.cloudResources
    const ownerOf = (pod: PodRecord) => namespaces.ownerAt(pod, window.from)
    allocateWindow(this.#columnsFor(node), node, window, { usageOf, ownerOf, untilOf }, sums)
  }

  /** Wide enough for everything that ran on the node within memory, should it all have run in one window. */
  #columnsFor({ pods }: NodeRecord): SpanColumns {
    let spans = 0
    for (const { versions } of pods) for (const { names } of versions) spans += names.length + 1
    if (spans > this.#columns.from.length) this.#columns = makeSpanColumns(2 * spans)
    return this.#columns
  }
}
