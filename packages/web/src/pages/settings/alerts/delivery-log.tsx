import type { Channel, Delivery } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { deliveriesQuery } from '../../../api/queries.ts'
import { deliveryErrorLabels } from '../../../format/alert-labels.ts'
import { deliveryStateLabels } from '../../../format/channel-labels.ts'
import type { Tone } from '../../../format/labels.ts'
import { Instant } from '../../../parts/instant.tsx'
import { State } from '../../../parts/state-tags.tsx'
import { QueryState } from '../../../parts/states.tsx'
import { Table, type Column } from '../../../parts/table.tsx'

const tones: Record<Delivery['state'], Tone> = { waiting: 'warn', delivered: 'ok', dead: 'danger', cancelled: 'muted' }

const columns: Column<Delivery>[] = [
  { header: 'Time', cell: ({ queued_at: at }) => <Instant at={at} /> },
  { header: 'Message', cell: ({ title }) => title, className: 'wrap' },
  { header: 'Tries', align: 'end', cell: ({ tries }) => (tries.length === 0 ? '–' : tries.length) },
  {
    header: 'Status',
    align: 'end',
    cell: ({ tries }) => tries.map(({ status }) => status ?? '–').join(', ') || '–',
  },
  {
    header: 'Duration',
    align: 'end',
    cell: ({ tries: [last] }) => (last ? `${last.duration_ms} ms` : '–'),
  },
  {
    header: 'Result',
    cell: ({ state, tries: [last] }) => (
      <State tone={tones[state]}>
        {deliveryStateLabels[state]}
        {state !== 'delivered' && last?.error ? `: ${deliveryErrorLabels[last.error]}` : ''}
      </State>
    ),
  },
]

export function DeliveryLog({ channel: { id, name } }: { channel: Channel }) {
  const log = useQuery(deliveriesQuery(id))
  return (
    <div className="mt-3">
      <h3 className="mb-2 text-sm font-semibold">Delivery log of {name}, kept for 90 days</h3>
      <QueryState query={log} what="The delivery log">
        {({ deliveries }) =>
          deliveries.length === 0 ? (
            <p className="text-ink-3">No messages yet.</p>
          ) : (
            <Table label="Delivery log" columns={columns} rows={deliveries} rowKey={(row) => row.id} isStacked />
          )
        }
      </QueryState>
    </div>
  )
}
