import type { ClusterNode } from '@plimsoll/contract'
import { useState } from 'react'
import { addedUp, rateDollars } from '../../format/money.ts'
import { percent } from '../../format/quantity.ts'
import { day } from '../../format/time.ts'
import { shortName } from '../../parts/change-text.tsx'
import { State, Tag } from '../../parts/state-tags.tsx'
import { Section } from '../../parts/section.tsx'
import { ShowAll, Table, type Column } from '../../parts/table.tsx'

const fraction = (value: number | null) => percent(value === null ? null : value / 100)

const columnsWith = (costs: readonly string[]): Column<ClusterNode>[] => [
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
  { header: 'Capacity type', className: '@max-[840px]:hidden', cell: ({ capacity_type: sold }) => sold },
  { header: 'Zone', className: '@max-[840px]:hidden', cell: ({ zone }) => zone },
  {
    header: '$/h',
    align: 'end',
    className: '@max-[560px]:hidden',
    cell: ({ price }) =>
      price.usd_per_hour === null ? (
        <Tag tone="warn">not priced</Tag>
      ) : (
        <>
          {price.estimated && <Tag>estimated</Tag>} {rateDollars(price.usd_per_hour)}
        </>
      ),
  },
  {
    header: 'CPU requested',
    align: 'end',
    className: '@max-[480px]:hidden',
    cell: ({ cpu_allocated_percent: share }) => fraction(share),
  },
  {
    header: 'Memory requested',
    align: 'end',
    className: '@max-[480px]:hidden',
    cell: ({ memory_allocated_percent: share }) => fraction(share),
  },
  { header: 'Created', align: 'end', className: '@max-[840px]:hidden', cell: ({ first_seen_at: at }) => day(at) },
  {
    header: 'State',
    className: '@max-[560px]:hidden',
    cell: ({ ended_at: ended }) =>
      ended === null ? <State tone="ok">running</State> : <State tone="muted">removed {day(ended)}</State>,
  },
  { header: 'Cost $', align: 'end', cell: (_node, index) => <b>{costs[index]}</b> },
]

const rowsShown = 20

/** Removed nodes have a cost in the window too. */
function countsOf(nodes: readonly ClusterNode[]): string {
  const gone = nodes.filter(({ ended_at: ended }) => ended !== null)
  if (gone.length === 0) return `${nodes.length}, all running`
  const costOf = (some: readonly ClusterNode[]) => some.reduce((sum, { cost }) => sum + cost.total, 0)
  const { parts } = addedUp([costOf(nodes) - costOf(gone), costOf(gone)])
  const here = `${nodes.length - gone.length} running for ${parts[0]}`
  return `${nodes.length}: ${here}, ${gone.length} removed for ${parts[1]}`
}

export function NodeTable({ nodes, hasMore }: { nodes: readonly ClusterNode[]; hasMore: boolean }) {
  const [isAll, setAll] = useState(false)
  const sorted = [...nodes].sort((a, b) => b.cost.total - a.cost.total)
  const rows = isAll ? sorted : sorted.slice(0, rowsShown)
  const { parts, total } = addedUp(sorted.map(({ cost }) => cost.total))
  return (
    <Section
      title="All nodes in this window"
      meta={hasMore ? 'the first 500 by name' : countsOf(nodes)}
      end={`${total} in the window`}
    >
      <Table label="Nodes" columns={columnsWith(parts)} rows={rows} rowKey={({ uid }) => uid} />
      <ShowAll shown={rows.length} all={sorted.length} onShow={() => setAll(true)} />
    </Section>
  )
}
