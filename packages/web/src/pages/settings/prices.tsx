import type { PriceOverride } from '@plimsoll/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { useClusterName } from '../../api/cluster-name.ts'
import { priceOverridesQuery, pricesQuery } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { momentWithZone, utc } from '../../format/time.ts'
import { OneCluster, useShownClusterId } from '../../parts/one-cluster.tsx'
import { Section } from '../../parts/section.tsx'
import { QueryState, useFailure } from '../../parts/states.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { PriceTables } from './price-tables.tsx'
import { OverrideForm } from './prices/override-form.tsx'
import { overrideText } from './prices/override-text.ts'

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
  const clusterId = useShownClusterId()
  const prices = useQuery({ ...pricesQuery(clusterId ?? ''), enabled: typeof clusterId === 'string' })
  const alone = useQuery({ ...priceOverridesQuery, enabled: clusterId === null })
  const [failure, run] = useFailure()
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: ['price-overrides'] })
    await queries.invalidateQueries({ queryKey: ['prices'] })
  }
  const end = (id: string) => void run(() => api.endPriceOverride({ params: { override_id: id } }).then(refresh))
  return (
    <Section title="Price overrides" meta="An override applies from its start hour.">
      {may('billing:write') && <OverrideForm onMade={() => void refresh()} />}
      {failure}
      <QueryState<{ price_overrides?: PriceOverride[] }>
        query={clusterId === null ? alone : prices}
        what="The price overrides"
      >
        {({ price_overrides: rows = [] }) =>
          rows.length === 0 ? (
            <p className="mt-3 text-ink-3">No price overrides: list prices apply.</p>
          ) : (
            <OverrideTable rows={rows} onEnd={end} />
          )
        }
      </QueryState>
    </Section>
  )
}

function OverrideTable({ rows, onEnd }: { rows: readonly PriceOverride[]; onEnd: (id: string) => void }) {
  const may = useMay()
  const clusterName = useClusterName()
  const columns: Column<PriceOverride>[] = [
    { header: 'Override', className: 'wrap', cell: (row) => <span className="main">{overrideText(row)}</span> },
    { header: 'Cluster', cell: ({ cluster_id: id }) => (id === null ? 'all' : clusterName(id)) },
    { header: 'From', cell: ({ effective_from: at }) => <Hour at={at} /> },
    { header: 'Until', cell: ({ effective_until: at }) => (at === null ? 'open' : <Hour at={at} />) },
    { header: 'Note', className: 'wrap', cell: ({ note }) => note },
    {
      header: <span className="sr-only">Actions</span>,
      align: 'end',
      cell: (row) =>
        may('billing:write') && (
          <button
            type="button"
            className="button button-small"
            aria-label={`End now: ${overrideText(row)}`}
            onClick={() => onEnd(row.id)}
          >
            End now
          </button>
        ),
    },
  ]
  return <Table isStacked label="Price overrides" columns={columns} rows={rows} rowKey={({ id }) => id} />
}

const Hour = ({ at }: { at: string }) => <span title={utc(at)}>{momentWithZone(at)}</span>
