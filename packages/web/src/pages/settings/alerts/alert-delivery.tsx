import type { AlertDelivery } from '@plimsoll/contract'
import { useState, type FormEvent } from 'react'
import { api } from '../../../api/client.ts'
import { TextField } from '../../../parts/controls.tsx'
import { Section } from '../../../parts/section.tsx'
import { useFailure } from '../../../parts/states.tsx'

type Props = { delivery: AlertDelivery; mayWrite: boolean; onChange: () => Promise<void> }

export function AlertDeliverySettings({ delivery, mayWrite, onChange }: Props) {
  const [failure, run] = useFailure()
  const [hours, setHours] = useState(delivery.quiet_hours)
  const [weekends, setWeekends] = useState(delivery.quiet_weekends)
  const [digest, setDigest] = useState(delivery.weekly_digest)
  const save = (event: FormEvent) => {
    event.preventDefault()
    const body = { quiet_hours: hours, quiet_weekends: weekends, weekly_digest: digest }
    void run(() => api.setAlertDelivery({ body, ifMatch: delivery.etag }).then(onChange))
  }
  return (
    <Section title="Delivery" meta="Urgent alerts (budget exceeded, agent not reporting) ignore quiet hours">
      {failure}
      <form onSubmit={save}>
        <fieldset className="flex flex-wrap items-end gap-x-6 gap-y-3" disabled={!mayWrite}>
          <Choice
            word="Quiet hours (UTC)"
            isOn={hours !== null}
            onSet={(isOn) => setHours(isOn ? { from: '20:00', to: '07:00' } : null)}
          />
          {hours !== null && (
            <>
              <TextField
                label="From"
                type="time"
                value={hours.from}
                onChange={(from) => setHours({ ...hours, from })}
              />
              <TextField label="To" type="time" value={hours.to} onChange={(to) => setHours({ ...hours, to })} />
            </>
          )}
          <Choice word="Quiet weekends" isOn={weekends} onSet={setWeekends} />
          <Choice word="Weekly digest, Monday 07:00 UTC" isOn={digest} onSet={setDigest} />
          {mayWrite && <button className="button">Save</button>}
        </fieldset>
      </form>
    </Section>
  )
}

function Choice({ word, isOn, onSet }: { word: string; isOn: boolean; onSet: (isOn: boolean) => void }) {
  return (
    <label className="inline-flex min-h-8 items-center gap-2">
      <input type="checkbox" className="choice" checked={isOn} onChange={(event) => onSet(event.target.checked)} />
      {word}
    </label>
  )
}
