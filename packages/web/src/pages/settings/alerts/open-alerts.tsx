import type { Alert } from '@plimsoll/contract'
import { useState, type FormEvent } from 'react'
import { api } from '../../../api/client.ts'
import { moneyText, ruleLabels, unsentLabels } from '../../../format/alert-labels.ts'
import { withUnits } from '../../../format/quantity.ts'
import { ago, dayMs, momentWithZone } from '../../../format/time.ts'
import { Dialog, FormActions } from '../../../parts/dialog.tsx'
import { useNow } from '../../../parts/now.ts'
import { Section } from '../../../parts/section.tsx'
import { State } from '../../../parts/state-tags.tsx'
import { useFailure } from '../../../parts/states.tsx'
import { Table, type Column } from '../../../parts/table.tsx'

type Props = { alerts: readonly Alert[]; onChange: () => Promise<void> }

export function OpenAlerts({ alerts, onChange }: Props) {
  const now = useNow()
  const [failure, run] = useFailure()
  const [accepted, setAccepted] = useState<Alert | null>(null)
  const act = (work: () => Promise<unknown>) => void run(() => work().then(onChange))
  const params = ({ id }: Alert) => ({ alert_id: id })
  const acknowledge = (alert: Alert) => act(() => api.acknowledgeAlert({ params: params(alert) }))
  const snooze = (alert: Alert) => {
    const until = new Date(now.getTime() + dayMs).toISOString()
    act(() => api.snoozeAlert({ params: params(alert), body: { until } }))
  }
  const columns: Column<Alert>[] = [
    { header: 'Alert', cell: (alert) => <AlertTitle alert={alert} />, className: 'wrap' },
    { header: 'Amount', align: 'end', cell: ({ money }) => (money === null ? '–' : moneyText(money)) },
    { header: 'Since', cell: ({ started_at: at }) => (at === null ? '–' : ago(at, now)) },
    { header: 'State', cell: (alert) => <AlertState alert={alert} now={now} />, className: 'may-wrap' },
    {
      header: <span className="sr-only">Actions</span>,
      align: 'end',
      cell: (alert) => (
        <span className="inline-flex flex-wrap justify-end gap-2">
          {alert.allowed_actions.includes('acknowledge') && (
            <button type="button" className="button button-small" onClick={() => acknowledge(alert)}>
              Acknowledge
            </button>
          )}
          {alert.allowed_actions.includes('snooze') && (
            <button type="button" className="button button-small" onClick={() => snooze(alert)}>
              Snooze 24 h
            </button>
          )}
          {alert.allowed_actions.includes('accept') && (
            <button type="button" className="button button-small" onClick={() => setAccepted(alert)}>
              Accept
            </button>
          )}
        </span>
      ),
    },
  ]
  return (
    <Section title="Open alerts" meta={`${alerts.length}`}>
      {failure}
      {alerts.length === 0 ? (
        <p className="text-ink-3">No open alerts.</p>
      ) : (
        <Table label="Open alerts" columns={columns} rows={alerts} rowKey={({ id }) => id} isStacked />
      )}
      {accepted && (
        <AcceptDialog
          alert={accepted}
          onClose={() => setAccepted(null)}
          onAccept={(reason) => {
            setAccepted(null)
            act(() => api.acceptAlert({ params: params(accepted), body: { reason } }))
          }}
        />
      )}
    </Section>
  )
}

function AlertTitle({ alert: { title, url, rule } }: { alert: Alert }) {
  return (
    <>
      {url === null ? <span className="main">{withUnits(title)}</span> : <a href={url}>{withUnits(title)}</a>}
      <br />
      <span className="text-sm text-ink-3">{ruleLabels[rule].word}</span>
    </>
  )
}

function AlertState({ alert, now }: { alert: Alert; now: Date }) {
  const { state, accepted, acknowledged, snoozed_until: until, unsent_reason: why, sent } = alert
  if (accepted) return <State tone="muted">Accepted by {accepted.by}</State>
  if (acknowledged) return <State tone="muted">Acknowledged by {acknowledged.by}</State>
  if (until !== null && new Date(until) > now) return <State tone="muted">Snoozed until {momentWithZone(until)}</State>
  if (state === 'pending') return <State tone="muted">Pending</State>
  if (why !== null) return <State tone="warn">{unsentLabels[why]}</State>
  return <State tone="danger">{sent ? 'Firing, sent' : 'Firing'}</State>
}

type AcceptProps = { alert: Alert; onAccept: (reason: string) => void; onClose: () => void }

/** The reason is for the later readers of the alert. */
function AcceptDialog({ alert, onAccept, onClose }: AcceptProps) {
  const [reason, setReason] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAccept(reason.trim())
  }
  const isIncident = alert.rule === 'cost_above_expected'
  return (
    <Dialog title="Accept alert" onClose={onClose}>
      <form onSubmit={submit}>
        <p className="mb-3">
          {isIncident
            ? 'The incident ends. From now on, the new cost is expected.'
            : 'No further messages are sent for this alert.'}
        </p>
        <textarea
          className="input w-full"
          aria-label="Reason"
          rows={2}
          maxLength={1000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <FormActions word="Accept" isReady={reason.trim() !== ''} onCancel={onClose} />
      </form>
    </Dialog>
  )
}
