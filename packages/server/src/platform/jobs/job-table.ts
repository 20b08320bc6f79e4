/**
 * Each lane has workers of its own, so no lane waits for another. Its priority goes to every job of the lane: the queue
 * reads jobs of a lower number first, so that a fold is found before thousands of waiting analyses.
 */
export const lanes = {
  fold: { width: 2, priority: 0 },
  maintain: { width: 2, priority: 10 },
  analyse: { width: 2, priority: 20 },
} as const

export type Lane = keyof typeof lanes

/** The payload exists as a type only. */
type Job<Payload> = { lane: Lane; payload?: Payload }

const job = <Payload = Record<string, never>>(lane: Lane): Job<Payload> => ({ lane })

/** Every job: its name, its lane and its payload. `src/jobs.ts` has the function behind each name. */
export const jobTable = {
  fold: job<{ clusterId: string }>('fold'),
  sync: job<{ jobId: string }>('fold'),
  'purge-cluster': job<{ clusterId: string }>('maintain'),
  reprice: job('maintain'),
  retention: job('maintain'),
  'sum-up-days': job<{ clusterId: string }>('maintain'),
  sweep: job('maintain'),
  analyse: job<{ clusterId: string }>('analyse'),
}

export type JobName = keyof typeof jobTable
export type JobPayload<Name extends JobName> = NonNullable<(typeof jobTable)[Name]['payload']>

export const lanePriority = (name: JobName) => lanes[jobTable[name].lane].priority
