import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api } from '../../api/client.ts'
import { sessionQuery } from '../../api/session.ts'
import { actionName, byResource, readFirst, resourceName, usable } from '../../format/permissions.ts'
import { capital } from '../../format/labels.ts'
import { NewPasswordField, PasswordField, Segmented } from '../../parts/controls.tsx'
import { Note } from '../../parts/state-tags.tsx'
import { Section } from '../../parts/section.tsx'
import { Sessions } from './sessions.tsx'
import { useFailure } from '../../parts/states.tsx'
import { chooseTheme, useThemeChoice } from '../../parts/theme.ts'

export function Profile() {
  const { data } = useQuery(sessionQuery)
  const theme = useThemeChoice()
  return (
    <>
      <Section title="Account">
        <dl className="grid max-w-[640px] grid-cols-[140px_1fr] gap-y-1.5">
          <dt className="text-ink-3">E-mail address</dt>
          <dd>{data?.user.email}</dd>
          <dt className="text-ink-3">Role</dt>
          <dd>{data?.user.role}</dd>
          <dt className="text-ink-3">Clusters</dt>
          <dd>{data?.clusters === null ? 'all' : data?.clusters.join(', ')}</dd>
          <dt className="text-ink-3">Namespaces</dt>
          <dd>{data?.namespaces === null ? 'all' : data?.namespaces.join(', ')}</dd>
          <dt className="text-ink-3">Teams</dt>
          <dd>{data?.teams === null ? 'all' : data?.teams.length === 0 ? 'none' : data?.teams.join(', ')}</dd>
          <dt className="text-ink-3">Permissions</dt>
          <dd>
            <ul>
              {byResource(readFirst(usable(data?.permissions ?? []))).map(([resource, actions]) => (
                <li key={resource}>
                  {capital(resourceName(resource))}: {actions.map(actionName).join(', ')}
                </li>
              ))}
            </ul>
          </dd>
        </dl>
      </Section>
      <Section title="Theme">
        <Segmented
          label="Theme"
          value={theme}
          options={[
            { value: 'system', word: 'System' },
            { value: 'light', word: 'Light' },
            { value: 'dark', word: 'Dark' },
          ]}
          onChange={chooseTheme}
        />
      </Section>
      <PasswordForm />
      <Sessions />
    </>
  )
}

function PasswordForm() {
  const [current, setCurrent] = useState('')
  const [wanted, setWanted] = useState('')
  const [isDone, setDone] = useState(false)
  const [failure, run] = useFailure()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const isChanged = await run(() => api.changePassword({ body: { current_password: current, new_password: wanted } }))
    setDone(isChanged)
    if (!isChanged) return
    setCurrent('')
    setWanted('')
  }
  return (
    <Section title="Password" meta="Changing the password ends your other sessions.">
      <form className="grid max-w-[320px] gap-3" onSubmit={(event) => void submit(event)}>
        <PasswordField label="Current password" value={current} onChange={setCurrent} />
        <NewPasswordField label="New password" value={wanted} onChange={setWanted} />
        {failure}
        {isDone && (
          <Note tone="ok" icon="check" role="status">
            Password changed.
          </Note>
        )}
        <button className="button justify-self-start">Change password</button>
      </form>
    </Section>
  )
}
