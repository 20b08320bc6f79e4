import type { Channel, TestResult } from '@plimsoll/contract'
import { useState } from 'react'
import { api } from '../../../api/client.ts'
import { deliveryErrorLabels } from '../../../format/alert-labels.ts'
import { channelKindLabels } from '../../../format/channel-labels.ts'
import { count } from '../../../format/quantity.ts'
import { ago } from '../../../format/time.ts'
import { useNow } from '../../../parts/now.ts'
import { Section } from '../../../parts/section.tsx'
import { State } from '../../../parts/state-tags.tsx'
import { useFailure } from '../../../parts/states.tsx'
import { Table, type Column } from '../../../parts/table.tsx'
import { AddChannel } from './add-channel.tsx'
import { DeleteChannel } from './delete-channel.tsx'
import { DeliveryLog } from './delivery-log.tsx'
import { EditChannel } from './edit-channel.tsx'

type Props = { channels: readonly Channel[]; mayWrite: boolean; onChange: () => Promise<void> }

export function Channels({ channels, mayWrite, onChange }: Props) {
  const [failure, run] = useFailure()
  const [open, setOpen] = useState<string | null>(null)
  const [dialog, setDialog] = useState<{ kind: 'edit' | 'delete'; id: string } | null>(null)
  const [tests, setTests] = useState<Readonly<Record<string, TestResult>>>({})
  const params = ({ id }: Channel) => ({ channel_id: id })
  const test = (channel: Channel) =>
    void run(async () => {
      const result = await api.testChannel({ params: params(channel) })
      setTests((others) => ({ ...others, [channel.id]: result }))
      await onChange()
    })
  const redeliver = (channel: Channel) =>
    void run(() => api.redeliver({ params: params(channel), body: {} }).then(onChange))
  const setEnabled = (channel: Channel) =>
    void run(() => {
      const body = { enabled: !channel.enabled }
      return api.updateChannel({ params: params(channel), body, ifMatch: channel.etag }).finally(onChange)
    })
  const columns: Column<Channel>[] = [
    {
      header: 'Channel',
      cell: ({ name, kind, host }) => (
        <>
          <span className="main">{name}</span>
          <br />
          <span className="text-sm text-ink-3">
            {channelKindLabels[kind]} · {host}
          </span>
        </>
      ),
    },
    { header: 'Last delivered', cell: ({ last_delivered_at: at }) => <LastDelivered at={at} /> },
    { header: 'State', cell: (channel) => <ChannelState channel={channel} test={tests[channel.id]} /> },
    {
      header: <span className="sr-only">Actions</span>,
      align: 'end',
      cell: (channel) => (
        <span className="inline-flex flex-wrap justify-end gap-2">
          <button
            type="button"
            className="button button-small"
            aria-expanded={open === channel.id}
            onClick={() => setOpen(open === channel.id ? null : channel.id)}
          >
            Delivery log
          </button>
          {mayWrite && channel.dead > 0 && (
            <button type="button" className="button button-small" onClick={() => redeliver(channel)}>
              Resend {channel.dead}
            </button>
          )}
          {mayWrite && (
            <>
              <button type="button" className="button button-small" onClick={() => test(channel)}>
                Send test
              </button>
              <button type="button" className="button button-small" onClick={() => setEnabled(channel)}>
                {channel.enabled ? 'Disable' : 'Enable'}
              </button>
              <button
                type="button"
                className="button button-small"
                onClick={() => setDialog({ kind: 'edit', id: channel.id })}
              >
                Edit
              </button>
              <button
                type="button"
                className="button button-small"
                onClick={() => setDialog({ kind: 'delete', id: channel.id })}
              >
                Delete
              </button>
            </>
          )}
        </span>
      ),
    },
  ]
  const chosen = channels.find(({ id }) => id === open)
  const changed = channels.find(({ id }) => id === dialog?.id)
  const dialogProps = changed && { channel: changed, onClose: () => setDialog(null), onChange }
  return (
    <Section title="Channels" meta="Alerts of a team go to its channels, other alerts to the channels without a team">
      {failure}
      {channels.length === 0 ? (
        <p className="text-ink-3">No channels. Alerts appear on this page only.</p>
      ) : (
        <Table
          label="Channels"
          columns={columns}
          rows={channels}
          rowKey={({ id }) => id}
          isChosen={({ id }) => id === open}
          isStacked
        />
      )}
      {chosen && <DeliveryLog key={chosen.id} channel={chosen} />}
      {mayWrite && <AddChannel onAdded={onChange} />}
      {dialogProps && dialog?.kind === 'edit' && <EditChannel {...dialogProps} />}
      {dialogProps && dialog?.kind === 'delete' && <DeleteChannel {...dialogProps} />}
    </Section>
  )
}

function LastDelivered({ at }: { at: string | null }) {
  const now = useNow()
  return at === null ? <span className="text-ink-3">never</span> : ago(at, now)
}

function ChannelState({ channel, test }: { channel: Channel; test: TestResult | undefined }) {
  const { enabled, disabled_reason: reason, dead, waiting } = channel
  if (test && test.error !== null) return <State tone="danger">Test failed: {deliveryErrorLabels[test.error]}</State>
  if (test) return <State tone="ok">Test delivered in {test.duration_ms} ms</State>
  if (!enabled)
    return <State tone="muted">{reason === 'gone' ? 'Disabled: the address no longer exists' : 'Disabled'}</State>
  if (dead > 0) return <State tone="danger">{count(dead, 'message')} not delivered</State>
  if (waiting > 0) return <State tone="warn">{count(waiting, 'message')} waiting</State>
  return <State tone="ok">Working</State>
}
