import { ApiError, createClient } from '@plimsoll/client'

/** Callbacks for the end of the session. The shell registers one. */
const onSessionEnd = new Set<() => void>()

export function listenForSessionEnd(listener: () => void): () => void {
  onSessionEnd.add(listener)
  return () => onSessionEnd.delete(listener)
}

/** These answer 401 for a wrong password. */
const signingIn = new Set(['signIn', 'acceptLink'])

/** The session is in an HttpOnly cookie. The browser revalidates cached responses by ETag. */
export const api = createClient({
  credential: 'cookie',
  onError: ({ status }, operation) => {
    if (status === 401 && !signingIn.has(operation)) for (const listener of onSessionEnd) listener()
  },
})

/** Another user changed the object first. */
export const isConflict = (error: unknown): boolean => error instanceof ApiError && error.code === 'precondition_failed'

/** The ETag of an object that is not set. */
export const nothingSet = '"0-"'
