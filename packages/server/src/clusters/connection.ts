/** An agent reports every minute. After this silence its cluster is stale. */
export const activeMs = 5 * 60_000

/** After this silence the cluster is disconnected. */
export const staleMs = 30 * 60_000
