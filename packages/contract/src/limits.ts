export type RateLimits = Record<'person' | 'api_key' | 'agent' | 'address' | 'login' | 'page', number>

/**
 * Requests per window; a window opens with the caller's first request. Log-in has a bucket of its own per address, and
 * so have pages and static files: an office behind one address can open the dashboard a hundred times a minute.
 */
export const rateLimits: RateLimits = { person: 100, api_key: 200, agent: 20, address: 60, login: 60, page: 3000 }

export const rateLimitWindowSeconds = 60

/** The largest body that makes sense, a role narrowed to a thousand clusters and namespaces, is half of it. */
export const bodyBytesMax = 256 * 1024
export const jsonDepthMax = 32

/** Keys of all objects of a body. The largest permitted body, a team mapping of 1,000 rules, has 5,001. */
export const jsonKeysMax = 6000

/** How long a session can be renewed after its log-in. */
export const sessionDaysMax = 30
