export type RateLimits = Record<'person' | 'api_key' | 'agent' | 'address' | 'login' | 'redirect' | 'page', number>

/**
 * Requests per window. A window opens with the first request of the caller. Sign-in has its own limit per address, and
 * so do the redirects of an identity provider, pages and static files: many users of one office may share an address. The server decides in
 * `platform/http/queries/request-counts.ts` when a window opens and ends.
 */
export const rateLimits: RateLimits = {
  person: 100,
  api_key: 200,
  agent: 20,
  address: 60,
  login: 60,
  redirect: 600,
  page: 3000,
}

export const rateLimitWindowSeconds = 60
