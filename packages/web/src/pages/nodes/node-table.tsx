import type { ClusterNode } from '@plimsoll/contract'
import { useState, type ReactNode } from 'react'
import { rateDollars } from '../../format/money.ts'
import { count, percent } from '../../format/quantity.ts'
import { day } from '../../format/time.ts'
import { shortName } from '../../parts/change-text.tsx'
import { State, Tag } from '../../parts/state-tags.tsx'
import { Section } from '../../parts/section.tsx'
import { ShowAll, Table, type Column } from '../../parts/table.tsx'

const share = (value: number | null) => (value === null ? null : value / 100)

export const columnsWith = (costs: Props['costs']): Column<ClusterNode>[] => [
  {
    header: 'Node',
    cell: ({ name }) => (
      <span className="main block max-w-[24ch] truncate @min-[840px]:max-w-[30ch]" title={name}>
        {shortName(name, 'Node')}
      </span>
    ),
    csv: ({ name }) => name,
  },
  { header: 'Pool', className: '@max-[840px]:hidden', cell: ({ pool }) => pool, csv: ({ pool }) => pool },
  {
    header: 'Type',
    className: '@max-[840px]:hidden',
    cell: ({ instance_type: type }) => type,
    csv: ({ instance_type: type }) => type,
  },
  {
    header: 'Capacity type',
    className: '@max-[840px]:hidden',
    cell: ({ capacity_type: sold }) => sold,
    csv: ({ capacity_type: sold }) => sold,
  },
  { header: 'Zone', className: '@max-[840px]:hidden', cell: ({ zone }) => zone, csv: ({ zone }) => zone },
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
    csv: ({ price }) => price.usd_per_hour,
  },
  {
    header: 'CPU requested',
    align: 'end',
    className: '@max-[480px]:hidden',
    cell: ({ cpu_allocated_percent: cpu }) => percent(share(cpu)),
    csv: ({ cpu_allocated_percent: cpu }) => share(cpu),
  },
  {
    header: 'Memory requested',
    align: 'end',
    className: '@max-[480px]:hidden',
    cell: ({ memory_allocated_percent: memory }) => percent(share(memory)),
    csv: ({ memory_allocated_percent: memory }) => share(memory),
  },
  {
    header: 'Created',
    align: 'end',
    className: '@max-[840px]:hidden',
    cell: ({ first_seen_at: at }) => day(at),
    csv: ({ first_seen_at: at }) => at,
  },
  {
    header: 'State',
    className: '@max-[560px]:hidden',
    cell: ({ ended_at: ended }) =>
      ended === null ? <State tone="ok">running</State> : <State tone="muted">removed {day(ended)}</State>,
    csv: ({ ended_at: ended }) => (ended === null ? 'running' : `removed ${ended}`),
  },
  { header: 'Cost $', align: 'end', cell: ({ uid }) => <b>{costs.get(uid)}</b>, csv: ({ cost }) => cost.total },
]

const rowsShown = 20

/** Removed nodes have a cost in the window too. */
function countsOf(nodes: readonly ClusterNode[], { running, removed }: Props['sums']): string {
  const gone = nodes.filter(({ ended_at: ended }) => ended !== null)
  const all = count(nodes.length, 'node')
  if (gone.length === 0) return `${all}, all running`
  return `${all}: ${nodes.length - gone.length} running (${running}), ${gone.length} removed (${removed})`
}

type Props = {
  nodes: readonly ClusterNode[]
  hasMore: boolean
  /** As shown, by uid: the costs of all nodes add up to the total. */
  costs: ReadonlyMap<string, string>
  sums: { running: string; removed: string; total: string }
  csv: ReactNode
}

export function NodeTable({ nodes, hasMore, costs, sums, csv }: Props) {
  const [isAll, setAll] = useState(false)
  const sorted = [...nodes].sort((a, b) => b.cost.total - a.cost.total)
  const rows = isAll ? sorted : sorted.slice(0, rowsShown)
  return (
    <Section
      title="All nodes in this window"
      meta={hasMore ? 'the first 500 by name' : countsOf(nodes, sums)}
      end={
        <>
          {sums.total} in the window {csv}
        </>
      }
    >
      <Table label="Nodes" columns={columnsWith(costs)} rows={rows} rowKey={({ uid }) => uid} />
      <ShowAll shown={rows.length} all={sorted.length} onShow={() => setAll(true)} />
    </Section>
  )
}
