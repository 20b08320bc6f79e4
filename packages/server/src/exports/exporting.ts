import type { CostDeps } from '../costs/index.ts'
import type { WorkRequester } from '../platform/work-queue.ts'
import type { FocusRequest, FocusTotals } from './focus/focus-request.ts'

export type FocusExport = {
  /** Throws at its end if the file is incomplete. */
  bytes: AsyncIterable<Uint8Array>
  /** Resolves after the last byte. */
  totals: Promise<FocusTotals>
}

/** Where files of FOCUS are written. The service uses a separate process: a large file takes minutes of one core. */
export type Exporting = {
  stream: (request: FocusRequest, requester: WorkRequester) => Promise<FocusExport>
  close: () => Promise<void>
}

/** Dependencies of the routes and jobs of exports. */
export type ExportDeps = CostDeps & { exporting: Exporting }
