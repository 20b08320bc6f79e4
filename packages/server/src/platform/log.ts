import { pino, type DestinationStream, type Logger } from 'pino'

/** JSON lines, written synchronously: the last ones before the end matter most. */
export function makeLog(level: string, destination: DestinationStream = toStandardError()): Logger {
  return pino({ level, base: null, serializers: { err: describeError } }, destination)
}

const toStandardError = () => pino.destination({ dest: 2, sync: true })

/** These fields only: database errors contain their connection, with its address and state. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code } = error as { code?: unknown }
  return {
    type: error.constructor.name,
    message: error.message,
    ...(code === undefined ? {} : { code }),
    ...(error.cause instanceof Error ? { causes: causesOf(error.cause) } : {}),
    stack: error.stack,
  }
}

const causesMax = 5

/** Libraries wrap the error that explains a failure. A cause can be its own cause. */
function causesOf(first: Error): string[] {
  const causes: string[] = []
  for (let error: unknown = first; error instanceof Error && causes.length < causesMax; error = error.cause) {
    causes.push(`${error.constructor.name}: ${error.message}`)
  }
  return causes
}
