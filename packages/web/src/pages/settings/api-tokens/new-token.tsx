import type { CreatedApiKey } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { api } from '../../../api/client.ts'
import { sessionQuery } from '../../../api/session.ts'
import { usable } from '../../../format/permissions.ts'
import { dayMs } from '../../../format/time.ts'
import { Field, Options, TextField } from '../../../parts/controls.tsx'
import { useFailure } from '../../../parts/states.tsx'
import { firstGrant, scopesOf, sentScopes } from './grant.ts'
import { MayDo } from './may-do.tsx'

const ends = [
  ['30', 'in 30 days'],
  ['90', 'in 90 days'],
  ['365', 'in 1 year'],
  ['', 'never'],
] as const

const endOf = (days: string) =>
  days === '' ? {} : { expires_at: new Date(new Date().getTime() + Number(days) * dayMs).toISOString() }

export function NewToken({ onCreated }: { onCreated: (key: CreatedApiKey) => void }) {
  const { data } = useQuery(sessionQuery)
  const [name, setName] = useState('')
  const [grant, setGrant] = useState(firstGrant)
  const [days, setDays] = useState('90')
  const [failure, run, wrong] = useFailure(['/name'])
  const held = usable(data?.permissions ?? [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    await run(async () => {
      const body = { name: name.trim(), ...sentScopes(grant, held), ...endOf(days) }
      const key = await api.createApiKey({ body })
      setName('')
      setGrant(firstGrant)
      onCreated(key)
    })
  }
  return (
    <form className="grid gap-3" onSubmit={(event) => void submit(event)}>
      <div className="flex flex-wrap items-start gap-3">
        <TextField
          label="Name"
          className="w-64"
          required
          maxLength={100}
          placeholder="terraform-plan"
          wrong={wrong('/name')}
          value={name}
          onChange={setName}
        />
        <Field label="Expires">
          <select className="input w-36" value={days} onChange={(event) => setDays(event.target.value)}>
            <Options of={ends} />
          </select>
        </Field>
      </div>
      <MayDo held={held} grant={grant} onChange={setGrant} />
      <div className="flex flex-wrap items-center gap-3">
        <button className="button button-primary h-8" disabled={scopesOf(grant, held).length === 0}>
          Create token
        </button>
        {failure}
      </div>
    </form>
  )
}
