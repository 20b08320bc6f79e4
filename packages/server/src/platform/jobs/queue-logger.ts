import type { FastifyBaseLogger } from 'fastify'
import { Logger } from 'graphile-worker'

/** The queue's own messages join our log; its routine ones are only of interest when debugging. */
export function queueLogger(log: FastifyBaseLogger): Logger {
  return new Logger(() => (level, message) => {
    const name = String(level)
    if (name === 'error') log.error(message)
    else if (name === 'warning') log.warn(message)
    else log.debug(message)
  })
}
