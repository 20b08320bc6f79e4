import type { PriceOverride } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { deleteIt, postJson } from '../../api/client.ts'
import { priceOverridesQuery } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { day } from '../../format/time.ts'
import { providerName } from '../../format/words.ts'
import { Field, TextField } from '../../parts/controls.tsx'
import { OneCluster } from '../../parts/one-cluster.tsx'
import { Section } from '../../parts/section.tsx'
import { QueryState, useFailure } from '../../parts/states.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { PriceTables } from './price-tables.tsx'

export function PriceSettings() {
  return (
    <>
      <Overrides />
      <OneCluster>{(clusterId) => <PriceTables clusterId={clusterId} />}</OneCluster>
    </>
  )
}

function Overrides() {
  const may = useMay()
  const queries = useQueryClient()
  const overrides = useQuery(priceOverridesQuery)
  const [failure, run] = useFailure()
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: ['price-overrides'] })
    await queries.invalidateQueries({ queryKey: ['prices'] })
  }
  const end = (id: string) => void run(() => deleteIt(`/api/v1/price-overrides/${id}`).then(refresh))
  const own: Column<PriceOverride>[] = [
    { header: 'What', cell: (row) => <span className="main">{wordsOf(row)}</span> },
    { header: 'From', cell: ({ effective_from: at }) => day(at) },
    { header: 'Until', cell: ({ effective_until: at }) => (at === null ? 'it is ended' : day(at)) },
    { header: 'Note', className: 'wrap', cell: ({ note }) => note },
    {
      header: <span className="sr-only">Actions</span>,
      align: 'end',
      cell: ({ id }) =>
        may('billing:write') && (
          <button type="button" className="button button-small" onClick={() => end(id)}>
            End now
          </button>
        ),
    },
  ]
  return (
    <Section title="Discounts and own prices" meta="they hold from their hour on; quantities are never touched">
      {may('billing:write') && <NewDiscount onMade={() => void refresh()} />}
      {failure}
      <QueryState query={overrides} what="The discounts">
        {({ price_overrides: rows }) =>
          rows.length === 0 ? (
            <p className="mt-3 text-ink-3">List prices hold everywhere.</p>
          ) : (
            <Table isStacked label="Discounts and own prices" columns={own} rows={rows} rowKey={({ id }) => id} />
          )
        }
      </QueryState>
    </Section>
  )
}

function wordsOf(row: PriceOverride): string {
  const provider = row.provider === null ? null : providerName(row.provider)
  const where = [provider, row.region].filter((each) => each !== null).join(' ')
  if (row.kind === 'discount') return `${row.percent} % off ${where}`
  if (row.kind === 'node_price') return `${row.instance_type} at $${row.usd_per_hour}/h ${where}`
  return `own rates per vCPU and GiB`
}

function NewDiscount({ onMade }: { onMade: () => void }) {
  const [provider, setProvider] = useState('aws')
  const [percent, setPercent] = useState('')
  const [failure, run] = useFailure()
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const isMade = await run(() => postJson('/api/v1/price-overrides', { kind: 'discount', provider, percent }))
    if (!isMade) return
    setPercent('')
    onMade()
  }
  return (
    <form className="mb-3 flex flex-wrap items-end gap-3" onSubmit={(event) => void submit(event)}>
      <Field label="Provider">
        <select className="input w-32" value={provider} onChange={(event) => setProvider(event.target.value)}>
          <option value="aws">AWS</option>
          <option value="gcp">GCP</option>
          <option value="azure">Azure</option>
        </select>
      </Field>
      <TextField
        label="Percent off its list prices"
        className="w-32"
        required
        inputMode="decimal"
        value={percent}
        onChange={setPercent}
      />
      <button className="button h-8">Add discount</button>
      {failure}
    </form>
  )
}
