import type { FastifyBaseLogger } from 'fastify'
import { Logger } from 'graphile-worker'

/** Messages of the queue join our log; routine messages have the level debug. */
export function queueLogger(log: FastifyBaseLogger): Logger {
  return new Logger(() => (level, message) => {
    const name = String(level)
    if (name === 'error') log.error(message)
    else if (name === 'warning') log.warn(message)
    else log.debug(message)
  })
}
