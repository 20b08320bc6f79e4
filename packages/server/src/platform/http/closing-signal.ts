import type { FastifyReply } from 'fastify'

/** Aborts when the connection closes, so that pending work is skipped. */
export function closingSignal({ raw }: FastifyReply): AbortSignal {
  const closing = new AbortController()
  if (raw.destroyed) closing.abort()
  else raw.once('close', () => closing.abort())
  return closing.signal
}
