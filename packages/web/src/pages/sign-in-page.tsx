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
        No account yet? An admin can invite you. Whoever started this service for the first time finds a one-time link
        in what it printed.
      </p>
    </Doorway>
  )
}

/** An address that somebody else wrote must not lead out of here. */
const ownPath = (next: string | undefined) => (next?.startsWith('/') && !/^\/[/\\]/.test(next) ? next : '/')
