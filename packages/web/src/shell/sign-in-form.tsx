import { useState, type FormEvent } from 'react'
import { signIn } from '../api/session.ts'
import { Field } from '../parts/controls.tsx'
import { useFailure } from '../parts/states.tsx'
import { readSignInLink } from './sign-in-link.ts'

type Props = { email?: string; onSignedIn: () => void }

export function SignInForm({ email: known = '', onSignedIn }: Props) {
  const [email, setEmail] = useState(() => known || readSignInLink(location.hash).email)
  const [password, setPassword] = useState(() => readSignInLink(location.hash).password)
  const [isBusy, setBusy] = useState(false)
  const [failure, run] = useFailure()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const isIn = await run(() => signIn(email, password))
    setBusy(false)
    if (isIn) onSignedIn()
  }
  return (
    <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <Field label="E-mail address">
        <input
          className="input"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
      </Field>
      <Field label="Password">
        <input
          className="input"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
      </Field>
      {failure}
      <button className="button button-primary h-9" disabled={isBusy}>
        {isBusy ? 'Signing in …' : 'Sign in'}
      </button>
    </form>
  )
}
