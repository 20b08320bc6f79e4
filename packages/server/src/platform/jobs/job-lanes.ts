/**
 * Each lane has its own workers, so no lane waits for another. Every job of the lane has its priority: the queue reads
 * lower numbers first, so that a fold is found before thousands of waiting analyses.
 */
export const lanes = {
  fold: { width: 2, priority: 0 },
  sweep: { width: 1, priority: 5 },
  // A job only starts the sending in the background, so one worker serves all channels.
  deliver: { width: 1, priority: 7 },
  maintain: { width: 2, priority: 10 },
  // Alerts do not wait for a maintenance job of minutes.
  monitor: { width: 1, priority: 8 },
  // One analysis process computes one cluster at a time: a second worker would only hold a job that waits.
  analyse: { width: 1, priority: 20 },
} as const

export type Lane = keyof typeof lanes

type Job<Payload> = {
  lane: Lane
  /** Of several jobs with the same key, one waits at a time. */
  key: (payload: Payload) => string
}

const job = <Payload = Record<string, never>>(lane: Lane, key: (payload: Payload) => string): Job<Payload> => ({
  lane,
  key,
})

type OfCluster = { clusterId: string }

/** Every job: its name, its lane, its key and its payload. `src/job-handlers.ts` has the function behind each name. */
export const jobTable = {
  fold: job<OfCluster>('fold', ({ clusterId }) => `fold ${clusterId}`),
  sync: job<{ jobId: string }>('fold', ({ jobId }) => `sync ${jobId}`),
  'purge-cluster': job<OfCluster>('maintain', ({ clusterId }) => `purge ${clusterId}`),
  budgets: job('maintain', () => 'budgets'),
  'send-statements': job('maintain', () => 'send-statements'),
  reprice: job('maintain', () => 'reprice'),
  retention: job('maintain', () => 'retention'),
  'sum-up-days': job<OfCluster>('maintain', ({ clusterId }) => `sum-up-days ${clusterId}`),
  deliver: job<{ channelId: string }>('deliver', ({ channelId }) => `deliver ${channelId}`),
  'evaluate-alerts': job<{ again?: true }>('monitor', ({ again }) => `evaluate-alerts${again ? ' again' : ''}`),
  notify: job<{ channelId: string }>('deliver', ({ channelId }) => `notify ${channelId}`),
  sweep: job('sweep', () => 'sweep'),
  analyse: job<OfCluster>('analyse', ({ clusterId }) => `analyse ${clusterId}`),
}

export type JobName = keyof typeof jobTable
export type JobPayload<Name extends JobName> = Parameters<(typeof jobTable)[Name]['key']>[0]

export const lanePriority = (name: JobName) => lanes[jobTable[name].lane].priority

export const jobKey = <Name extends JobName>(name: Name, payload: JobPayload<Name>): string =>
  (jobTable[name].key as (payload: JobPayload<Name>) => string)(payload)
