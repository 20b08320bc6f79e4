import { pino, type DestinationStream, type Logger } from 'pino'

/** JSON lines, written before anything else happens: the last ones before an end are the ones that matter. */
export function makeLog(level: string, destination: DestinationStream = toStandardError()): Logger {
  return pino({ level, base: null, serializers: { err: describeError } }, destination)
}

const toStandardError = () => pino.destination({ dest: 2, sync: true })

/** These four only: errors of the database carry their connection along, with its address and all that is going on in it. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code } = error as { code?: unknown }
  return {
    type: error.constructor.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    stack: error.stack,
  }
}
