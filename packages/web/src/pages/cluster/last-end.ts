import type { AgentToken } from '@plimsoll/contract'

type Token = Pick<AgentToken, 'last_used_at' | 'expires_at'>

/** When the last used token expires; null if one of them never expires, or none is used. */
export function lastEnd(tokens: readonly Token[]): string | null {
  const ends = tokens.filter((token) => token.last_used_at !== null).map((token) => token.expires_at)
  return ends.reduce((last, end) => (last === null || end === null ? null : end > last ? end : last), ends[0] ?? null)
}
