/** An agent reports every minute. Silent for longer than this, its cluster is stale. */
export const activeMs = 5 * 60_000

/** Silent for longer than this, the cluster is disconnected. */
export const staleMs = 30 * 60_000
