import type { LoginResult } from '@plimsoll/contract'
import { useState, type FormEvent } from 'react'
import { signIn } from '../api/session.ts'
import { EmailField, PasswordField } from '../parts/controls.tsx'
import { useFailure } from '../parts/states.tsx'

type Props = { email?: string; password?: string; onSignedIn: (result: LoginResult) => void }

/** Given values are filled in. */
export function SignInForm({ email: known = '', password: given = '', onSignedIn }: Props) {
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState(given)
  const [isBusy, setBusy] = useState(false)
  const [failure, run] = useFailure()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    await run(async () => onSignedIn(await signIn(email, password)))
    setBusy(false)
  }
  return (
    <form className="grid gap-4" onSubmit={(event) => void submit(event)}>
      <EmailField value={email} onChange={setEmail} />
      <PasswordField value={password} onChange={setPassword} />
      {failure}
      <button className="button button-primary h-9" disabled={isBusy}>
        {isBusy ? 'Signing in …' : 'Sign in'}
      </button>
    </form>
  )
}
