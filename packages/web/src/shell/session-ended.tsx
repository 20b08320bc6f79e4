import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { listenForSessionEnd } from '../api/client.ts'
import { sessionQuery, signInMethodsQuery } from '../api/session.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ProviderLink } from './provider-link.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** The page stays open, so that the user can continue after signing in again. */
export function SessionEnded() {
  const queries = useQueryClient()
  const { data } = useQuery({ ...sessionQuery, enabled: false })
  const [hasEnded, setEnded] = useState(false)
  const methods = useQuery({ ...signInMethodsQuery, enabled: hasEnded })
  useEffect(() => listenForSessionEnd(() => setEnded(true)), [])
  // Another user must not see data of the previous user, neither cached nor on the page.
  const startAnew = () => {
    queries.clear()
    location.replace('/')
  }
  if (!hasEnded) return null
  return (
    <Dialog title="Your session has ended" onClose={() => undefined}>
      <p className="mb-4 text-ink-2">
        Your session expired, was revoked, or you signed out. Sign in to continue on this page.
      </p>
      {methods.data?.oidc && <ProviderLink returnTo={hereOnTheSite()} />}
      {methods.data?.password !== false && (
        <SignInForm
          email={data?.user.email ?? ''}
          onSignedIn={({ user }) => {
            if (user.id !== data?.user.id) return startAnew()
            setEnded(false)
            void queries.invalidateQueries()
          }}
        />
      )}
    </Dialog>
  )
}

const hereOnTheSite = () => `${location.pathname}${location.search}`
