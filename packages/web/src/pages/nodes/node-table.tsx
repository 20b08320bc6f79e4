import type { ClusterNode } from '@plimsoll/contract'
import { useState } from 'react'
import { dollars, rateDollars } from '../../format/money.ts'
import { percent } from '../../format/quantity.ts'
import { day } from '../../format/time.ts'
import { shortName } from '../../parts/change-words.tsx'
import { State, Tag } from '../../parts/marks.tsx'
import { Section } from '../../parts/section.tsx'
import { ShowAll, Table, type Column } from '../../parts/table.tsx'

const fraction = (value: number | null) => percent(value === null ? null : value / 100)

const columns: Column<ClusterNode>[] = [
  {
    header: 'Node',
    cell: ({ name }) => (
      <span className="main block max-w-[24ch] truncate @min-[840px]:max-w-[30ch]" title={name}>
        {shortName(name, 'Node')}
      </span>
    ),
  },
  { header: 'Pool', className: '@max-[840px]:hidden', cell: ({ pool }) => pool },
  { header: 'Type', className: '@max-[840px]:hidden', cell: ({ instance_type: type }) => type },
  { header: 'Sold as', className: '@max-[840px]:hidden', cell: ({ capacity_type: sold }) => sold },
  { header: 'Zone', className: '@max-[840px]:hidden', cell: ({ zone }) => zone },
  {
    header: '$/h',
    align: 'end',
    className: '@max-[560px]:hidden',
    cell: ({ price }) =>
      price.usd_per_hour === null ? (
        <Tag tone="warn">unpriced</Tag>
      ) : (
        <>
          {price.estimated && <Tag>estimated</Tag>} {rateDollars(price.usd_per_hour)}
        </>
      ),
  },
  {
    header: 'CPU asked',
    align: 'end',
    className: '@max-[480px]:hidden',
    cell: ({ cpu_allocated_percent: share }) => fraction(share),
  },
  {
    header: 'Memory asked',
    align: 'end',
    className: '@max-[480px]:hidden',
    cell: ({ memory_allocated_percent: share }) => fraction(share),
  },
  { header: 'Since', align: 'end', className: '@max-[840px]:hidden', cell: ({ first_seen_at: at }) => day(at) },
  {
    header: 'State',
    className: '@max-[560px]:hidden',
    cell: ({ ended_at: ended }) =>
      ended === null ? <State tone="ok">there</State> : <State tone="muted">gone {day(ended)}</State>,
  },
  { header: '$ in the window', align: 'end', cell: ({ cost }) => <b>{dollars(cost.total)}</b> },
]

const rowsShown = 20

/** Those that have gone have cost something as well. */
function countsOf(nodes: readonly ClusterNode[]): string {
  const gone = nodes.filter(({ ended_at: ended }) => ended !== null)
  if (gone.length === 0) return `${nodes.length}, all there now`
  const cost = gone.reduce((sum, node) => sum + node.cost.total, 0)
  return `${nodes.length}: ${nodes.length - gone.length} there now, ${gone.length} gone for ${dollars(cost)}`
}

export function NodeTable({ nodes, hasMore }: { nodes: readonly ClusterNode[]; hasMore: boolean }) {
  const [isAll, setAll] = useState(false)
  const sorted = [...nodes].sort((a, b) => b.cost.total - a.cost.total)
  const rows = isAll ? sorted : sorted.slice(0, rowsShown)
  return (
    <Section
      title="All nodes of this window"
      meta={hasMore ? 'the first 500 by name' : countsOf(nodes)}
      end={`${dollars(nodes.reduce((sum, { cost }) => sum + cost.total, 0))} in the window`}
    >
      <Table label="Nodes" columns={columns} rows={rows} rowKey={({ uid }) => uid} />
      <ShowAll shown={rows.length} all={sorted.length} onShow={() => setAll(true)} />
    </Section>
  )
}
