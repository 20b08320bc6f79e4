import type { Db } from '../platform/db/database.ts'
import type { Deps } from '../platform/deps.ts'
import type { WorkRequester } from '../platform/work-queue.ts'
import { answerAllocation, type AllocationLimits, type AllocationRequest } from './answer-allocation.ts'

/** Computes answers that take longer than the event loop may be held. The service does it in a thread. */
export type Figuring = {
  /** The answer as JSON: a large answer takes long to serialize, too. */
  allocation: (request: AllocationRequest, requester: WorkRequester) => Promise<Uint8Array>
  close: () => Promise<void>
}

/** Dependencies of the cost routes. */
export type CostDeps = Deps & { figuring: Figuring }

export const allocationJson = async (
  db: Db,
  request: AllocationRequest,
  limits: Pick<AllocationLimits, 'signal'> = {},
): Promise<Uint8Array> => new TextEncoder().encode(JSON.stringify(await answerAllocation(db, request, limits)))
