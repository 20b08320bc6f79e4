import type { ChannelKindName } from '@plimsoll/contract'
import { useState, type FormEvent } from 'react'
import { api } from '../../../api/client.ts'
import { addressFields } from '../../../format/channel-form.ts'
import { channelKindLabels } from '../../../format/channel-labels.ts'
import { Field, Options, Secret, TextField } from '../../../parts/controls.tsx'
import { Note } from '../../../parts/state-tags.tsx'
import { useFailure } from '../../../parts/states.tsx'

const kinds = Object.entries(channelKindLabels) as [ChannelKindName, string][]

export function AddChannel({ onAdded }: { onAdded: () => Promise<void> }) {
  const [failure, run] = useFailure()
  const [kind, setKind] = useState<ChannelKindName>('slack')
  const [name, setName] = useState('')
  const [address, setAddress] = useState('')
  const [secret, setSecret] = useState<string | null>(null)
  const field = addressFields[kind]
  const add = (event: FormEvent) => {
    event.preventDefault()
    void run(async () => {
      const made = await api.createChannel({ body: { name, kind, ...field.read(address.trim()) } })
      setSecret(made.secret ?? null)
      setName('')
      setAddress('')
      await onAdded()
    })
  }
  return (
    <div className="mt-4">
      {failure}
      {secret !== null && (
        <Note tone="ok" icon="check" role="status">
          <b>Secret of the webhook.</b> Your receiver verifies the signature with this secret. Copy the secret now: it
          is not shown again.
          <Secret value={secret} />
        </Note>
      )}
      <form className="flex flex-wrap items-end gap-3" onSubmit={add}>
        <Field label="Kind">
          <select className="input" value={kind} onChange={(event) => setKind(event.target.value as ChannelKindName)}>
            <Options of={kinds} />
          </select>
        </Field>
        <TextField label="Name" required maxLength={100} value={name} onChange={setName} />
        <TextField label={field.label} required className="w-72" value={address} onChange={setAddress} />
        <button className="button">Add channel</button>
      </form>
    </div>
  )
}
