import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { signInMethodsQuery } from '../api/session.ts'
import { signInFailures } from '../format/sign-in-failures.ts'
import { Note } from '../parts/state-tags.tsx'
import { ProviderLink } from '../shell/provider-link.tsx'
import { SignInForm } from '../shell/sign-in-form.tsx'
import { forgetSignInLink, readSignInLink } from '../shell/sign-in-link.ts'
import { SignedOutFrame } from './signed-out-frame.tsx'

export function SignInPage() {
  const { next, failure } = useSearch({ from: '/sign-in' })
  const router = useRouter()
  const queries = useQueryClient()
  const methods = useQuery(signInMethodsQuery)
  const [link] = useState(() => readSignInLink(location.hash))
  useEffect(() => forgetSignInLink(window), [])
  const enter = () => {
    queries.clear()
    router.history.replace(ownPath(next))
  }
  return (
    <SignedOutFrame title="Sign in">
      {failure !== undefined && (
        <div className="mb-4">
          <Note tone="danger" icon="alert" role="alert">
            {signInFailures[failure]}
          </Note>
        </div>
      )}
      {methods.data?.oidc && <ProviderLink returnTo={ownPath(next)} />}
      {methods.data?.password === false ? (
        <details className="mt-6">
          <summary className="text-sm text-ink-3">Sign in with the emergency admin password</summary>
          <div className="mt-4">
            <SignInForm {...link} onSignedIn={enter} />
          </div>
        </details>
      ) : (
        <SignInForm {...link} onSignedIn={enter} />
      )}
      <p className="mt-6 text-sm text-ink-3">
        {methods.data?.oidc
          ? 'No access? Ask an admin to give a role to one of your groups.'
          : 'No account? Ask an admin for an invitation.'}{' '}
        On the first start, the service prints a one-time set-up link.
      </p>
    </SignedOutFrame>
  )
}

/** Only paths of this site are allowed as redirect targets. */
const ownPath = (next: string | undefined) => (next?.startsWith('/') && !/^\/[/\\]/.test(next) ? next : '/')
