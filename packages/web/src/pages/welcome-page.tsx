import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState, type FormEvent } from 'react'
import { acceptLink } from '../api/session.ts'
import { EmailField, NewPasswordField } from '../parts/controls.tsx'
import { Message, useFailure } from '../parts/states.tsx'
import { SignedOutFrame } from './signed-out-frame.tsx'

/** The code is in the URL fragment, so it never appears in requests or logs. */
export function WelcomePage() {
  const [code] = useState(() => location.hash.slice(1))
  // Only the first admin enters an address; an invitation has one.
  const isSetUp = code.startsWith('setup.')
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [failure, run] = useFailure()
  if (code === '') return <IncompleteLink />
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const isIn = await run(() => acceptLink(code, password, isSetUp ? email : undefined))
    setBusy(false)
    if (!isIn) return
    queries.clear()
    await navigate({ to: isSetUp ? '/clusters/new' : '/', replace: true })
  }
  return (
    <SignedOutFrame title={isSetUp ? 'Set up Plimsoll' : 'Welcome'}>
      <p className="mb-4 text-ink-2">
        {isSetUp ? 'You become the first admin. Next, add a cluster.' : 'Choose a password. This link works once.'}
      </p>
      <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
        {isSetUp && <EmailField value={email} onChange={setEmail} />}
        <NewPasswordField value={password} onChange={setPassword} />
        {failure}
        <button className="button button-primary h-9" disabled={isBusy}>
          {isBusy ? 'Signing in …' : 'Set password and sign in'}
        </button>
      </form>
    </SignedOutFrame>
  )
}

function IncompleteLink() {
  return (
    <SignedOutFrame title="Welcome">
      <Message
        icon="alert"
        title="The link is incomplete"
        actions={
          <Link className="link" to="/sign-in">
            Sign in instead
          </Link>
        }
      >
        Open the full link, including the part after #.
      </Message>
    </SignedOutFrame>
  )
}
