import { Type, type Static } from 'typebox'
import { Closed, futureExample, FutureTimestamp, Nullable, Timestamp, VisibleLines } from './common.ts'
import { Action, oneOf, Status, type RecommendationAction } from './recommendations.ts'

const Reason = VisibleLines({ maxLength: 1000, description: 'Reason, for the history' })

export const MoveBody = Type.Optional(
  Closed({ reason: Type.Optional(Reason) }, { title: 'MoveBody', examples: [{ reason: 'agreed with the team' }] }),
)

export const SnoozeBody = Closed(
  {
    until: FutureTimestamp('In the future, at most one year away'),
    reason: Type.Optional(Reason),
  },
  { title: 'SnoozeBody', examples: [{ until: futureExample }] },
)

export const batchIdsMax = 500

const batchActions = ['approve', 'reject', 'apply'] as const satisfies RecommendationAction[]
export type BatchAction = (typeof batchActions)[number]

export const recommendationIds = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  minItems: 1,
  maxItems: batchIdsMax,
})

export const BatchBody = Closed(
  {
    action: oneOf(batchActions),
    ids: recommendationIds,
    reason: Type.Optional(Reason),
    atomic: Type.Optional(Type.Boolean({ description: 'All or nothing' })),
  },
  {
    title: 'BatchBody',
    examples: [{ action: 'approve', ids: ['rec_01k3v7m9q2x4t6b8n0d2f4h6j801k3v8m9q2x4t6b8n0d2f4h6j8'] }],
  },
)

const BatchItem = Type.Object({
  id: Type.String(),
  outcome: oneOf(['changed', 'unchanged', 'conflict', 'not_found']),
  changed: Type.Boolean(),
  status: Nullable(Status, 'Current recommendation; null if it does not exist'),
  allowed_actions: Type.Array(Action, {
    description: 'Actions that the status and the permissions of the caller allow',
  }),
  detail: Nullable(Type.String(), 'Reason of the failure'),
})

export const BatchSummary = Type.Object({
  requested: Type.Integer(),
  changed: Type.Integer(),
  unchanged: Type.Integer(),
  failed: Type.Integer(),
})

export const BatchResult = Type.Object(
  { summary: BatchSummary, results: Type.Array(BatchItem, { description: 'In the order of the IDs' }) },
  { title: 'BatchResult' },
)

export const HistoryEntry = Type.Object(
  {
    at: Timestamp,
    action: Type.String({
      description: 'Actions of users, and found, updated, superseded, resolved, expired, verified …',
    }),
    from_status: Nullable(Status),
    to_status: Status,
    actor: Type.Object({
      kind: oneOf(['person', 'api_key', 'engine']),
      id: Nullable(Type.String()),
      email: Nullable(Type.String()),
    }),
    reason: Nullable(Type.String()),
    detail: Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
  },
  { title: 'HistoryEntry' },
)

export const RecommendationHistory = Type.Object(
  { id: Type.String(), history: Type.Array(HistoryEntry, { description: 'Oldest first' }) },
  { title: 'RecommendationHistory' },
)

export type BatchItem = Static<typeof BatchItem>
export type BatchResult = Static<typeof BatchResult>
export type HistoryEntry = Static<typeof HistoryEntry>
export type RecommendationHistory = Static<typeof RecommendationHistory>
