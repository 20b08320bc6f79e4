import { Type, type Static } from 'typebox'
import { Nullable, Timestamp } from './common.ts'

export const jobStages = ['queued', 'recalculating', 'waiting_for_agent', 'done'] as const
export type JobStage = (typeof jobStages)[number]

export const SyncResult = Type.Object(
  {
    agent_answered: Type.Boolean({ description: 'The figures include a new snapshot' }),
    message: Type.String(),
    last_sync_at: Nullable(Timestamp, 'Latest processed observation'),
    node_count: Type.Integer(),
    pod_count: Type.Integer(),
  },
  { title: 'SyncResult' },
)

export const Job = Type.Object(
  {
    id: Type.String({ examples: ['job_01k3v7m9q2x4t6b8n0d2f4h6j8'] }),
    kind: Type.Unsafe<'sync'>({ type: 'string', enum: ['sync'] }),
    cluster_id: Type.String(),
    status: Type.Unsafe<'running' | 'succeeded' | 'failed'>({
      type: 'string',
      enum: ['running', 'succeeded', 'failed'],
    }),
    stage: Type.Unsafe<JobStage>({ type: 'string', enum: [...jobStages] }),
    progress: Type.Number({ minimum: 0, maximum: 1 }),
    result: Nullable(SyncResult, 'Null until the job succeeds'),
    error: Nullable(Type.String(), 'Reason of the failure'),
    created_at: Timestamp,
    updated_at: Timestamp,
    finished_at: Nullable(Timestamp),
  },
  { title: 'Job' },
)

export type SyncResult = Static<typeof SyncResult>
export type Job = Static<typeof Job>
