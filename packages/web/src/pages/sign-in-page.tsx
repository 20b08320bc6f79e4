import { useQueryClient } from '@tanstack/react-query'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { SignInForm } from '../shell/sign-in-form.tsx'
import { forgetSignInLink, readSignInLink } from '../shell/sign-in-link.ts'
import { Doorway } from './doorway.tsx'

export function SignInPage() {
  const { next } = useSearch({ from: '/sign-in' })
  const router = useRouter()
  const queries = useQueryClient()
  const [link] = useState(() => readSignInLink(location.hash))
  useEffect(() => forgetSignInLink(window), [])
  const enter = () => {
    queries.clear()
    router.history.replace(ownPath(next))
  }
  return (
    <Doorway title="Sign in">
      <SignInForm {...link} onSignedIn={enter} />
      <p className="mt-6 text-sm text-ink-3">
        No account? Ask an admin for an invitation. On the first start, the service prints a one-time set-up link.
      </p>
    </Doorway>
  )
}

/** Only paths of this site are allowed as redirect targets. */
const ownPath = (next: string | undefined) => (next?.startsWith('/') && !/^\/[/\\]/.test(next) ? next : '/')
