import type { Allocation } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import type { AddedUpTable } from '../../format/money.ts'
import { count, percent } from '../../format/quantity.ts'
import { ownerName } from '../../format/labels.ts'
import { Explained } from '../../parts/explained.tsx'
import { Tag } from '../../parts/state-tags.tsx'
import { MiniBar } from '../../parts/money-bar.tsx'
import { Section } from '../../parts/section.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { PartlyUnpriced } from '../../parts/partly-unpriced.tsx'
import { useMayOpen } from '../../shell/page-access.ts'
import { colourOf } from './colours.ts'
import type { Cost, CostColumn } from './cost-columns.ts'
import { costTable, type CostRow as Row } from './cost-table.ts'
import { shortOwner } from './owner.ts'
import { groupingName } from './question.ts'
import { unpricedParts } from './unpriced-parts.ts'

type Props = { allocation: Allocation; by: string; named: readonly string[] }

export function AllocationTable({ allocation, by, named }: Props) {
  const [step] = allocation.steps
  if (!step) return null
  const { rows, columns, shown } = costTable(step, by)
  const costs = rows.map(({ cost }) => cost)
  return (
    <Section
      title={`Cost by ${groupingName(by)}`}
      meta={`${count(rows.length, 'row')}, ${shown.total}`}
      end="efficiency: used ÷ (used + requested but unused), CPU and memory"
    >
      <Table
        label={`Cost by ${by}`}
        columns={tableColumns({ by, rows, named, columns, shown })}
        rows={rows}
        rowKey={({ name }) => name}
        footer={<Total costs={costs} shown={shown} />}
      />
    </Section>
  )
}

function Total({ costs, shown }: { costs: readonly Cost[]; shown: AddedUpTable }) {
  const partly = partlyUnpriced(costs)
  return (
    <tr>
      <td>
        <span className="inline-flex flex-wrap items-center gap-x-2">
          Total {partly && <PartlyUnpriced parts={unpricedParts(partly)} />}
        </span>
      </td>
      <td className={roomFor.bar} />
      {shown.columns.map((amount, index) => (
        <td key={index} className={`num ${roomFor.parts}`}>
          {amount}
        </td>
      ))}
      <td className="num pl-4">{shown.total}</td>
      <td />
    </tr>
  )
}

/** A total excludes the unpriced parts of its rows. */
function partlyUnpriced(costs: readonly Cost[]): Pick<Cost, 'unpriced_parts'> | null {
  const without = costs.filter(({ unpriced }) => unpriced)
  return without.length === 0
    ? null
    : { unpriced_parts: [...new Set(without.flatMap(({ unpriced_parts: all }) => all))] }
}

/** All part columns are shown or none, because only all of them add up. They are hidden later than the bar. */
const roomFor = { bar: '@max-[1000px]:hidden', parts: '@max-[480px]:hidden' }

type Drawn = {
  by: string
  rows: readonly Row[]
  named: readonly string[]
  columns: readonly CostColumn[]
  shown: AddedUpTable
}

function tableColumns({ by, rows, named, columns, shown }: Drawn): Column<Row>[] {
  const max = Math.max(...rows.map(({ cost }) => cost.workload + cost.workload_idle + cost.cluster_idle))
  return [
    {
      className: '@max-[480px]:whitespace-normal',
      header: groupingName(by).charAt(0).toUpperCase() + groupingName(by).slice(1),
      cell: (row) => <OwnerCell row={row} by={by} named={named} />,
    },
    {
      header: 'Compute',
      className: `w-[18%] ${roomFor.bar}`,
      cell: ({ cost }) => <MiniBar classes={cost} max={max} />,
    },
    ...columns.map(({ header, meaning, of }, column): Column<Row> => ({
      header: <span title={meaning}>{header}</span>,
      align: 'end',
      // Long titles wrap before the table gets wider than the page.
      className: `whitespace-normal ${roomFor.parts}`,
      cell: ({ cost }, row) => (of(cost) === 0 ? <span className="text-ink-3">–</span> : shown.cells[row]?.[column]),
    })),
    {
      header: 'Total $',
      align: 'end',
      cell: ({ name, cost }, row) => (
        <TotalOf name={name} cost={cost}>
          {shown.rows[row] ?? ''}
        </TotalOf>
      ),
    },
    { header: 'Efficiency', align: 'end', cell: ({ cost, isOwned }) => percent(isOwned ? cost.efficiency : null) },
  ]
}

function OwnerCell({ row: { name, isOwned, cost }, by, named }: { row: Row; by: string; named: readonly string[] }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 @min-[600px]:flex-nowrap">
      <span className="inline-flex items-center gap-x-2">
        <span
          className={`swatch shrink-0 ${isOwned ? '' : 'hatch'}`}
          {...(isOwned ? { style: { background: colourOf(name, named).fill } } : {})}
        />
        <NameOf name={name} by={by} isOwned={isOwned} />
      </span>
      {cost.unpriced && <PartlyUnpriced parts={unpricedParts(cost)} />}
      {cost.estimated > 0 && cost.estimated >= cost.total / 2 && <Tag>estimated</Tag>}
    </span>
  )
}

function TotalOf({ name, cost, children }: { name: string; cost: Cost; children: string }) {
  return (
    <b>
      <Explained
        title={`${ownerName(name)}, ${children}`}
        how="Cost = allocated CPU and memory per hour × node price. Allocation is the request, plus usage above the request if the node has free capacity. Volumes and load balancers are added."
        parts={partsOf(cost)}
        sum="Total"
      >
        {children}
      </Explained>
    </b>
  )
}

const partsOf = (cost: Cost) =>
  (
    [
      ['CPU', cost.cpu],
      ['Memory', cost.memory],
      ['GPU', cost.gpu],
      ['Volumes', cost.storage],
      ['Load balancers', cost.load_balancer],
      ['Control plane', cost.overhead],
      ['Share of unallocated cost', cost.shared_idle],
      ['Share of control plane fee', cost.shared_overhead],
    ] as const
  )
    .filter(([, value]) => value > 0)
    .map(([name, usd]) => ({ name, usd }))

function NameOf({ name, by, isOwned }: { name: string; by: string; isOwned: boolean }) {
  const mayOpen = useMayOpen()
  if (!isOwned) return <span className="text-ink-2">{ownerName(name)}</span>
  const shown = (
    <span className="main block max-w-[22ch] truncate @min-[600px]:max-w-[34ch]" title={ownerName(name)}>
      {shortOwner(name, by)}
    </span>
  )
  if (name.startsWith('__')) return shown
  if (by === 'namespace') {
    const intoIt = (old: { cluster?: string }) => ({ ...old, by: 'workload', namespace: name })
    return (
      <Link to="/allocation" search={intoIt} className="hover:underline" title={`Show the workloads of ${name}`}>
        {shown}
      </Link>
    )
  }
  if (by !== 'workload' || !mayOpen('/recommendations')) return shown
  const [namespace = '', , workload = ''] = name.split('/')
  return (
    <Link
      to="/recommendations"
      search={{ namespace, text: workload }}
      className="hover:underline"
      title="Show recommendations"
    >
      {shown}
    </Link>
  )
}
