import type { NodeClassPrice, Prices } from '@plimsoll/contract'
import { useQuery } from '@tanstack/react-query'
import { pricesQuery } from '../../api/queries.ts'
import { exactDollars, rateDollars } from '../../format/money.ts'
import { priceSource, sourceIds } from '../../format/price-source.ts'
import { count, gibibytes } from '../../format/quantity.ts'
import { dated } from '../../format/time.ts'
import { Tag } from '../../parts/state-tags.tsx'
import { Section } from '../../parts/section.tsx'
import { Message, QueryState } from '../../parts/states.tsx'
import { Table, type Column } from '../../parts/table.tsx'

/** The price of each resource type and its source. */
export function PriceTables({ clusterId }: { clusterId: string }) {
  const prices = useQuery(pricesQuery(clusterId))
  return (
    <QueryState query={prices} what="The prices">
      {(known) => (
        <>
          <Section title="Nodes" meta={`price list of ${dated(known.book.as_of)}, version ${known.book.version}`}>
            {known.node_classes.length === 0 ? (
              <Message icon="clock" title="No nodes" />
            ) : (
              <Table
                isStacked
                label="Prices of nodes"
                columns={[...nodeColumns, whereFrom(known.sources)]}
                rows={known.node_classes}
                rowKey={nodeKey}
              />
            )}
          </Section>
          <OtherPrices prices={known} />
          <Sources sources={known.sources} />
        </>
      )}
    </QueryState>
  )
}

const shown = (value: number | null) => (value === null ? <Tag tone="warn">not priced</Tag> : rateDollars(value))

type Price = Parameters<typeof priceSource>[0]
type Source = Prices['sources'][number]

function Because({ price, sources }: { price: Price; sources: readonly Source[] }) {
  return (
    <>
      {price.kind === 'estimated' && <Tag>estimated</Tag>}{' '}
      <span title={sourceIds(price, sources)}>{priceSource(price)}</span>
      {price.note !== null && <span className="block text-sm text-ink-3">{price.note}</span>}
    </>
  )
}

const whereFrom = (sources: readonly Source[]): Column<{ price: Price }> => ({
  header: 'Source',
  className: 'wrap min-w-40',
  cell: ({ price }) => <Because price={price} sources={sources} />,
})

const nodeKey = (row: NodeClassPrice) =>
  [row.instance_type, row.region, row.zone ?? '', row.capacity_type, row.os].join(' ')

const nodeColumns: Column<NodeClassPrice>[] = [
  { header: 'Type', cell: ({ instance_type: type }) => <span className="main">{type}</span> },
  { header: 'Region', cell: ({ region }) => region },
  { header: 'Capacity type', cell: ({ capacity_type: sold }) => sold },
  { header: 'Nodes', align: 'end', cell: ({ nodes }) => nodes },
  { header: '$/h', align: 'end', cell: ({ price }) => <b>{shown(price.usd_per_hour)}</b> },
  { header: '$/vCPU-h', align: 'end', cell: ({ rates }) => shown(rates.usd_per_vcpu_hour) },
  { header: '$/GiB-h', align: 'end', cell: ({ rates }) => shown(rates.usd_per_gib_hour) },
]

type OtherPrice = {
  key: string
  what: string
  name: string
  there: string
  price: Prices['load_balancers'][number]['price']
}

const units = { 'gib-month': 'GiB-month', 'disk-month': 'disk-month', hour: 'hour' } as const

const otherColumns: Column<OtherPrice>[] = [
  { header: 'Resource', cell: ({ what }) => what },
  { header: 'Type', cell: ({ name }) => <span className="main">{name}</span> },
  { header: 'Quantity', align: 'end', cell: ({ there }) => there },
  {
    header: 'Price',
    align: 'end',
    cell: ({ price: { usd, per } }) =>
      usd === null ? (
        shown(usd)
      ) : (
        <>
          <b>{per === 'hour' || usd < 1 ? rateDollars(usd) : exactDollars(usd)}</b> per {units[per]}
        </>
      ),
  },
]

function OtherPrices({ prices }: { prices: Prices }) {
  const rows: OtherPrice[] = [
    ...prices.storage_classes.map(({ storage_class: name, size_gib: size, volumes, total_gib: gib, price }) => ({
      key: `volume ${name} ${size}`,
      what: 'Volumes',
      name: size === null ? name : `${name}, ${gibibytes(size)}`,
      there: `${count(volumes, 'volume')}, ${gibibytes(gib)}`,
      price,
    })),
    ...prices.load_balancers.map(({ type, balancers, price }) => ({
      key: `balancer ${type}`,
      what: 'Load balancers',
      name: type ?? 'any',
      there: count(balancers, 'load balancer'),
      price,
    })),
    ...prices.control_plane.map(({ service, price }) => ({
      key: `control plane ${service} ${price.effective_from}`,
      what: 'Control plane',
      name: service,
      there: '1 cluster',
      price,
    })),
  ]
  if (rows.length === 0) return null
  return (
    <Section title="Volumes, load balancers, control plane" meta="network traffic is not measured">
      <Table
        isStacked
        label="Prices of volumes, load balancers and the control plane"
        columns={[...otherColumns, whereFrom(prices.sources)]}
        rows={rows}
        rowKey={({ key }) => key}
      />
    </Section>
  )
}

const sourceColumns: Column<Source>[] = [
  { header: 'Source', cell: ({ id }) => <span className="main">{id}</span> },
  {
    header: 'Origin',
    className: 'wrap',
    cell: ({ repository, path }) => (path === '-' ? repository : `${repository}, ${path}`),
  },
  { header: 'As of', cell: ({ as_of: asOf }) => dated(asOf) },
]

function Sources({ sources }: { sources: Source[] }) {
  if (sources.length === 0) return null
  return (
    <Section title="Sources" meta="List prices come without warranty. Price overrides have no source.">
      <Table isStacked label="Sources of prices" columns={sourceColumns} rows={sources} rowKey={({ id }) => id} />
    </Section>
  )
}
