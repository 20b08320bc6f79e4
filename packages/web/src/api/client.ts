import { ApiError, createClient } from '@plimsoll/client'

/** Who wants to know that the session has ended; the shell does. */
const onSessionEnd = new Set<() => void>()

export function listenForSessionEnd(listener: () => void): () => void {
  onSessionEnd.add(listener)
  return () => onSessionEnd.delete(listener)
}

/** These answer 401 for a wrong password. */
const signingIn = new Set(['signIn', 'acceptLink'])

/** The session travels in a cookie that scripts cannot read; the browser revalidates what it has by ETag. */
export const api = createClient({
  credential: 'cookie',
  onError: ({ status }, operation) => {
    if (status === 401 && !signingIn.has(operation)) for (const listener of onSessionEnd) listener()
  },
})

/** Somebody else was faster. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'precondition_failed'

/** The tag of what nobody had set. */
export const nothingSet = '"0-"'
