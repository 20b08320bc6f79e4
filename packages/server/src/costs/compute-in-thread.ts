import type { Db } from '../platform/db/database.ts'
import type { Deps } from '../platform/deps.ts'
import type { WorkRequester } from '../platform/work-queue.ts'
import { answerChanges, type ChangesLimits, type ChangesRequest } from './changes/answer-changes.ts'
import { answerStatements, type StatementsRequest } from './statements/answer-statements.ts'
import { answerScopeDays, type ScopeDaysRequest } from './answer-scope-days.ts'
import { answerOpencost } from './opencost/answer-opencost.ts'
import { answerMetrics } from './metrics/answer-metrics.ts'
import type { MetricsRequest } from './metrics/metrics-request.ts'
import type { OpencostRequest } from './opencost/opencost-request.ts'
import { answerTeams, type TeamsRequest } from './answer-teams.ts'
import { answerAllocation, type AllocationLimits, type AllocationRequest } from './answer-allocation.ts'

/** Computes answers that take longer than the event loop may be held. The service does it in a thread. */
export type Figuring = {
  /** The answer as JSON: a large answer takes long to serialize, too. */
  allocation: (request: AllocationRequest, requester: WorkRequester) => Promise<Uint8Array>
  changes: (request: ChangesRequest, requester: WorkRequester) => Promise<Uint8Array>
  scopeDays: (request: ScopeDaysRequest, requester: WorkRequester) => Promise<Uint8Array>
  teams: (request: TeamsRequest, requester: WorkRequester) => Promise<Uint8Array>
  statements: (request: StatementsRequest, requester: WorkRequester) => Promise<Uint8Array>
  opencost: (request: OpencostRequest, requester: WorkRequester) => Promise<Uint8Array>
  /** As text for Prometheus. */
  metrics: (request: MetricsRequest, requester: WorkRequester) => Promise<Uint8Array>
  close: () => Promise<void>
}

/** Dependencies of the cost routes. */
export type CostDeps = Deps & { figuring: Figuring }

export const allocationJson = async (
  db: Db,
  request: AllocationRequest,
  limits: Pick<AllocationLimits, 'signal'> = {},
): Promise<Uint8Array> => jsonOf(await answerAllocation(db, request, limits))

export const changesJson = async (
  db: Db,
  request: ChangesRequest,
  limits: Pick<ChangesLimits, 'signal'> = {},
): Promise<Uint8Array> => jsonOf(await answerChanges(db, request, limits))

export const scopeDaysJson = async (
  db: Db,
  request: ScopeDaysRequest,
  limits: Pick<AllocationLimits, 'signal'> = {},
): Promise<Uint8Array> => jsonOf(await answerScopeDays(db, request, limits))

export const teamsJson = async (
  db: Db,
  request: TeamsRequest,
  limits: Pick<AllocationLimits, 'signal'> = {},
): Promise<Uint8Array> => jsonOf(await answerTeams(db, request, limits))

export const statementsJson = async (
  db: Db,
  request: StatementsRequest,
  limits: Pick<AllocationLimits, 'signal'> = {},
): Promise<Uint8Array> => jsonOf(await answerStatements(db, request, limits))

export const opencostJson = async (
  db: Db,
  request: OpencostRequest,
  limits: Pick<AllocationLimits, 'signal'> = {},
): Promise<Uint8Array> => jsonOf(await answerOpencost(db, request, limits))

export const metricsText = async (
  db: Db,
  request: MetricsRequest,
  limits: Pick<AllocationLimits, 'signal'> = {},
): Promise<Uint8Array> => new TextEncoder().encode(await answerMetrics(db, request, limits))

/** A question that the thread answers. */
export type FiguresQuestion =
  | { kind: 'allocation'; request: AllocationRequest }
  | { kind: 'changes'; request: ChangesRequest }
  | { kind: 'scope-days'; request: ScopeDaysRequest }
  | { kind: 'teams'; request: TeamsRequest }
  | { kind: 'statements'; request: StatementsRequest }
  | { kind: 'opencost'; request: OpencostRequest }
  | { kind: 'metrics'; request: MetricsRequest }

export function answerJson(
  db: Db,
  question: FiguresQuestion,
  limits: Pick<AllocationLimits, 'signal'>,
): Promise<Uint8Array> {
  if (question.kind === 'allocation') return allocationJson(db, question.request, limits)
  if (question.kind === 'changes') return changesJson(db, question.request, limits)
  if (question.kind === 'teams') return teamsJson(db, question.request, limits)
  if (question.kind === 'statements') return statementsJson(db, question.request, limits)
  if (question.kind === 'opencost') return opencostJson(db, question.request, limits)
  if (question.kind === 'metrics') return metricsText(db, question.request, limits)
  return scopeDaysJson(db, question.request, limits)
}

const jsonOf = (answer: object) => new TextEncoder().encode(JSON.stringify(answer))
