export type RateLimits = Record<'person' | 'api_key' | 'agent' | 'address' | 'login' | 'page', number>

/**
 * Requests per window. A window opens with the first request of the caller. Sign-in has its own limit per address, and
 * so do pages and static files: many users of one office may share an address.
 */
export const rateLimits: RateLimits = { person: 100, api_key: 200, agent: 20, address: 60, login: 60, page: 3000 }

export const rateLimitWindowSeconds = 60

/** Twice the largest valid body: a role limited to a thousand clusters and namespaces. */
export const bodyBytesMax = 256 * 1024
export const jsonDepthMax = 32

/** Keys of all objects of a body. The largest permitted body, a team mapping of 1,000 rules, has 5,001. */
export const jsonKeysMax = 6000

/** How long a session can be renewed after its sign-in. */
export const sessionDaysMax = 30
