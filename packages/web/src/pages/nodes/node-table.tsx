import type { ClusterNode } from '@plimsoll/contract'
import { dollars, rateDollars } from '../../format/money.ts'
import { percent } from '../../format/quantity.ts'
import { day } from '../../format/time.ts'
import { State, Tag } from '../../parts/marks.tsx'
import { Section } from '../../parts/section.tsx'
import { Table, type Column } from '../../parts/table.tsx'

const fraction = (value: number | null) => percent(value === null ? null : value / 100)

const columns: Column<ClusterNode>[] = [
  {
    header: 'Node',
    cell: ({ name }) => (
      <span className="main block max-w-[30ch] truncate" title={name}>
        {name}
      </span>
    ),
  },
  { header: 'Pool', cell: ({ pool }) => pool },
  { header: 'Type', cell: ({ instance_type: type }) => type },
  { header: 'Sold as', cell: ({ capacity_type: sold }) => sold },
  { header: 'Zone', cell: ({ zone }) => zone },
  {
    header: '$/h',
    align: 'end',
    cell: ({ price }) =>
      price.usd_per_hour === null ? (
        <Tag tone="warn">unpriced</Tag>
      ) : (
        <>
          {price.estimated && <Tag>estimated</Tag>} {rateDollars(price.usd_per_hour)}
        </>
      ),
  },
  { header: 'CPU asked for', align: 'end', cell: ({ cpu_allocated_percent: share }) => fraction(share) },
  { header: 'Memory asked for', align: 'end', cell: ({ memory_allocated_percent: share }) => fraction(share) },
  { header: 'Since', align: 'end', cell: ({ first_seen_at: at }) => day(at) },
  {
    header: 'State',
    cell: ({ ended_at: ended }) =>
      ended === null ? <State tone="ok">there</State> : <State tone="muted">gone {day(ended)}</State>,
  },
  { header: '$ in the window', align: 'end', cell: ({ cost }) => <b>{dollars(cost.total)}</b> },
]

export function NodeTable({ nodes, hasMore }: { nodes: readonly ClusterNode[]; hasMore: boolean }) {
  const rows = [...nodes].sort((a, b) => b.cost.total - a.cost.total)
  return (
    <Section title="All nodes of this window" meta={hasMore ? 'the first 500 by name' : `${nodes.length}`}>
      <Table label="Nodes" columns={columns} rows={rows} rowKey={({ uid }) => uid} />
    </Section>
  )
}
