import type { Channel, CountedTeam } from '@plimsoll/contract'
import { useState, type FormEvent } from 'react'
import { api } from '../../../api/client.ts'
import { useMay } from '../../../api/session.ts'
import { TextField } from '../../../parts/controls.tsx'
import { useFailure } from '../../../parts/states.tsx'
import { DeleteTeam } from './delete-team.tsx'

type Props = { team: CountedTeam; channels: readonly Channel[]; onSaved: () => Promise<void> }

export function TeamForm({ team, channels, onSaved }: Props) {
  const mayLink = useMay()('webhooks:write')
  const [failure, run] = useFailure()
  const [contact, setContact] = useState(team.contact ?? '')
  const [costCenter, setCostCenter] = useState(team.cost_center ?? '')
  const [isDeleting, setIsDeleting] = useState(false)
  const [channelIds, setChannelIds] = useState(team.channel_ids)
  const save = (event: FormEvent) => {
    event.preventDefault()
    const body = { contact: contact.trim() || null, cost_center: costCenter.trim() || null, channel_ids: channelIds }
    void run(() => api.setTeam({ params: { team: team.name }, body, ifMatch: team.etag }).then(onSaved))
  }
  const toggle = (id: string, isOn: boolean) =>
    setChannelIds(isOn ? [...channelIds, id] : channelIds.filter((each) => each !== id))
  return (
    <form className="mt-4 grid gap-3" onSubmit={save} aria-label={`Edit team ${team.name}`}>
      <h3 className="text-sm font-semibold">Team {team.name}</h3>
      <div className="flex flex-wrap items-end gap-3">
        <TextField label="Contact" className="w-64" maxLength={200} value={contact} onChange={setContact} />
        <TextField label="Cost center" className="w-40" maxLength={100} value={costCenter} onChange={setCostCenter} />
      </div>
      {channels.length > 0 && (
        <fieldset disabled={!mayLink}>
          <legend className="text-sm text-ink-3">
            Channels of the team. They receive alerts of the team, and no other alerts.
            {!mayLink && ' Changing them requires the permission webhooks:write.'}
          </legend>
          <div className="flex flex-wrap gap-x-4">
            {channels.map(({ id, name }) => (
              <label key={id} className="inline-flex min-h-8 items-center gap-2">
                <input
                  type="checkbox"
                  className="choice"
                  checked={channelIds.includes(id)}
                  onChange={(event) => toggle(id, event.target.checked)}
                />
                {name}
              </label>
            ))}
          </div>
        </fieldset>
      )}
      {failure}
      <div className="flex flex-wrap gap-3">
        <button className="button button-primary">Save team</button>
        <button type="button" className="button" onClick={() => setIsDeleting(true)}>
          Delete team …
        </button>
      </div>
      {isDeleting && <DeleteTeam team={team} onClose={() => setIsDeleting(false)} onDeleted={onSaved} />}
    </form>
  )
}
