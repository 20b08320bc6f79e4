import type { Channel, MessageEvent } from '@plimsoll/contract'
import { useState, type FormEvent } from 'react'
import { api } from '../../../api/client.ts'
import {
  addressFields,
  addressPointers,
  channelEditOf,
  eventLabels,
  fieldsOf,
  type ChannelFields,
} from '../../../format/channel-form.ts'
import { TextField } from '../../../parts/controls.tsx'
import { Dialog, FormActions } from '../../../parts/dialog.tsx'
import { useFailure } from '../../../parts/states.tsx'

type Props = { channel: Channel; onClose: () => void; onChange: () => Promise<void> }

export function EditChannel({ channel, onClose, onChange }: Props) {
  const [failure, run, wrong] = useFailure(['/name', '/events', ...addressPointers])
  const [fields, setFields] = useState(() => fieldsOf(channel))
  const [readAt, setReadAt] = useState(channel.updated_at)
  if (channel.updated_at !== readAt) {
    // Another user changed the channel.
    setReadAt(channel.updated_at)
    setFields(fieldsOf(channel))
  }
  const set = (change: Partial<ChannelFields>) => setFields((known) => ({ ...known, ...change }))
  const save = async (event: FormEvent) => {
    event.preventDefault()
    const body = channelEditOf(channel, fields)
    const params = { channel_id: channel.id }
    if (body === undefined || (await run(() => api.updateChannel({ params, body, ifMatch: channel.etag })))) onClose()
    await onChange()
  }
  return (
    <Dialog title={`Edit ${channel.name}`} onClose={onClose}>
      <form className="grid gap-4" onSubmit={(event) => void save(event)}>
        <TextField
          label="Name"
          required
          maxLength={100}
          value={fields.name}
          onChange={(name) => set({ name })}
          wrong={wrong('/name')}
        />
        <TextField
          label={addressFields[channel.kind].label}
          hint={`Empty: the address at ${channel.host} stays. Waiting messages go to a new address.`}
          autoComplete="off"
          value={fields.address}
          onChange={(address) => set({ address })}
          wrong={addressPointers.map(wrong).find((each) => each !== undefined)}
        />
        <EventChoice events={fields.events} onSet={(events) => set({ events })} />
        {failure}
        <FormActions word="Save" isReady={fields.events?.length !== 0} onCancel={onClose} />
      </form>
    </Dialog>
  )
}

type EventProps = { events: ChannelFields['events']; onSet: (events: ChannelFields['events']) => void }

const everyEvent = eventLabels.map(([event]) => event)

function EventChoice({ events, onSet }: EventProps) {
  const toggle = (event: MessageEvent, isOn: boolean) => {
    const chosen = (events ?? everyEvent).filter((each) => each !== event)
    onSet(isOn ? [...chosen, event] : chosen)
  }
  return (
    <fieldset className="field">
      <legend>Alerts</legend>
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={events === null}
          onChange={(event) => onSet(event.target.checked ? null : everyEvent)}
        />
        All alerts and the digest
      </label>
      {events !== null && (
        <div className="grid gap-x-4 gap-y-1 sm:grid-cols-2">
          {eventLabels.map(([event, word]) => (
            <label key={event} className="flex items-center gap-2">
              <input
                type="checkbox"
                checked={events.includes(event)}
                onChange={({ target }) => toggle(event, target.checked)}
              />
              {word}
            </label>
          ))}
        </div>
      )}
      <span>A new selection applies to later alerts. Waiting messages are still sent.</span>
    </fieldset>
  )
}
