import type { User } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api } from '../../api/client.ts'
import { sessionQuery, useMay } from '../../api/session.ts'
import { builtInRoleNames } from '../../format/permissions.ts'
import { ago, day } from '../../format/time.ts'
import { Field, Secret, TextField } from '../../parts/controls.tsx'
import { Note, State } from '../../parts/state-tags.tsx'
import { useNow } from '../../parts/now.ts'
import { Section } from '../../parts/section.tsx'
import { QueryState, useFailure } from '../../parts/states.tsx'
import { Table, type Column } from '../../parts/table.tsx'

const queryKey = ['users']

type Shown = { email: string; link: string }

export function Users() {
  const may = useMay()
  const queries = useQueryClient()
  const users = useQuery({ queryKey, queryFn: () => api.listUsers({ query: { include: 'roles' } }) })
  const [shown, setShown] = useState<Shown | null>(null)
  const [failure, run] = useFailure()
  const names = users.data?.roles?.map(({ name }) => name) ?? builtInRoleNames
  const refresh = () => queries.invalidateQueries({ queryKey })
  const change = (user: User, what: { role?: string; disabled?: boolean }) =>
    void run(() => api.updateUser({ params: { user_id: user.id }, body: what }).then(refresh))
  const newLink = (user: User) =>
    void run(async () => {
      const { link } = await api.createUserLink({ params: { user_id: user.id } })
      if (link !== undefined) setShown({ email: user.email, link })
    })
  return (
    <>
      {may('users:write') && (
        <Section title="Invite user" meta="You get a link and send it to the user.">
          <Invite
            roles={names}
            onInvited={(next) => {
              setShown(next)
              void refresh()
            }}
          />
        </Section>
      )}
      {shown && (
        <Note tone="ok" icon="check" role="status">
          <b>One-time link for {shown.email}.</b> Send the link to the user. It works once and is not shown again.
          <Secret value={shown.link} />
        </Note>
      )}
      <Section title="Users" meta={users.data && `${users.data.users.length}`}>
        {failure}
        {users.data?.users.some(({ sign_in: method }) => method === 'oidc') && (
          <p className="mb-3 text-sm text-ink-3">
            Groups of the identity provider decide the role and teams at each sign-in. A role that you set here lasts
            until the next sign-in. To end access at once, disable the user.
          </p>
        )}
        <QueryState query={users} what="The users">
          {({ users: rows }) => <UserTable rows={rows} roles={names} onChange={change} onLink={newLink} />}
        </QueryState>
      </Section>
    </>
  )
}

type TableProps = {
  rows: readonly User[]
  roles: readonly string[]
  onChange: (user: User, what: { role?: string; disabled?: boolean }) => void
  onLink: (user: User) => void
}

function UserTable({ rows, roles, onChange, onLink }: TableProps) {
  const may = useMay()
  const now = useNow()
  const { data: me } = useQuery(sessionQuery)
  const mayWrite = may('users:write')
  const columns: Column<User>[] = [
    {
      header: 'E-mail address',
      cell: ({ email, email_verified: isVerified }) => (
        <>
          <span className="main">{email}</span>
          {isVerified === false && <State tone="warn">not verified</State>}
        </>
      ),
      sortBy: ({ email }) => email,
    },
    {
      header: 'Role',
      cell: (user) =>
        mayWrite && user.id !== me?.user.id ? (
          <select
            className="input h-7"
            aria-label={`Role of ${user.email}`}
            value={user.role}
            onChange={(event) => onChange(user, { role: event.target.value })}
          >
            {roles.map((role) => (
              <option key={role}>{role}</option>
            ))}
          </select>
        ) : (
          user.role
        ),
    },
    { header: 'Sign-in', cell: ({ sign_in: method }) => (method === null ? '–' : signInLabels[method]) },
    { header: 'Teams', cell: ({ teams }) => (teams === null ? 'all' : teams.join(', ') || 'none') },
    { header: 'State', cell: (user) => <StateOfUser user={user} /> },
    {
      header: 'Last sign-in',
      cell: ({ last_login_at: at }) => (at === null ? <span className="text-ink-3">never</span> : ago(at, now)),
    },
    { header: 'Created', cell: ({ created_at: at }) => day(at) },
    {
      header: <span className="sr-only">Actions</span>,
      align: 'end',
      cell: (user) =>
        mayWrite &&
        user.id !== me?.user.id && (
          <span className="inline-flex gap-2">
            <button type="button" className="button button-small" onClick={() => onLink(user)}>
              New link
            </button>
            <button
              type="button"
              className="button button-small"
              onClick={() => onChange(user, { disabled: !user.disabled })}
            >
              {user.disabled ? 'Enable' : 'Disable'}
            </button>
          </span>
        ),
    },
  ]
  return <Table isStacked label="Users" columns={columns} rows={rows} rowKey={({ id }) => id} />
}

const signInLabels = { password: 'password', oidc: 'identity provider' } as const

function StateOfUser({ user }: { user: User }) {
  if (user.disabled) return <State tone="danger">disabled</State>
  return user.invited ? <State tone="muted">invited</State> : <span>active</span>
}

function Invite({ roles, onInvited }: { roles: readonly string[]; onInvited: (shown: Shown) => void }) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState('viewer')
  const [failure, run] = useFailure()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    await run(async () => {
      const { invitation } = await api.createUser({ body: { email, role } })
      if (invitation?.link !== undefined) onInvited({ email, link: invitation.link })
      setEmail('')
    })
  }
  return (
    <form className="flex flex-wrap items-end gap-3" onSubmit={(event) => void submit(event)}>
      <TextField label="E-mail address" className="w-64" type="email" required value={email} onChange={setEmail} />
      <Field label="Role">
        <select className="input w-40" value={role} onChange={(event) => setRole(event.target.value)}>
          {roles.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </Field>
      <button className="button button-primary h-8">Create invitation link</button>
      {failure}
    </form>
  )
}
