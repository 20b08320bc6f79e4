import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { listenForSessionEnd } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { Dialog } from '../parts/dialog.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** The page stays as it is: whoever signs in again goes on where they were. */
export function SessionEnded() {
  const queries = useQueryClient()
  const { data } = useQuery({ ...sessionQuery, enabled: false })
  const [hasEnded, setEnded] = useState(false)
  useEffect(() => listenForSessionEnd(() => setEnded(true)), [])
  // Nothing that the one before was shown is for somebody else, be it in the cache or in what is open.
  const startAnew = () => {
    queries.clear()
    location.replace('/')
  }
  if (!hasEnded) return null
  return (
    <Dialog title="Your session has ended" onClose={() => undefined}>
      <p className="mb-4 text-ink-2">
        It was signed out, ran its time or was revoked. Sign in again to go on where you were.
      </p>
      <SignInForm
        email={data?.user.email ?? ''}
        onSignedIn={({ user }) => {
          if (user.id !== data?.user.id) return startAnew()
          setEnded(false)
          void queries.invalidateQueries()
        }}
      />
    </Dialog>
  )
}
