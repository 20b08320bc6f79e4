import type { Allocation } from '@plimsoll/contract'
import { useState } from 'react'
import type { AddedUpTable } from '../../format/money.ts'
import { count } from '../../format/quantity.ts'
import { capital, ownerName } from '../../format/labels.ts'
import { Explained } from '../../parts/explained.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Tag } from '../../parts/state-tags.tsx'
import { MiniBar } from '../../parts/money-bar.tsx'
import { Section } from '../../parts/section.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import type { TableSort } from '../../parts/use-table-sort.ts'
import { PartlyUnpriced } from '../../shell/partly-unpriced.tsx'
import { colourOf } from './colours.ts'
import type { Cost, CostColumn } from './cost-columns.ts'
import { explorerLines, orderLines, percentText, readSort, sortColumns, type Line } from './explorer-lines.ts'
import { OwnerName } from './owner-name.tsx'
import { groupingName } from './question.ts'
import { unpricedParts } from './unpriced-parts.ts'

type Props = {
  allocation: Allocation
  levels: readonly string[]
  named: readonly string[]
  /** The column and the direction in the address, such as `-total`. */
  sort: string | undefined
  onSort: (sort: string | undefined) => void
}

export function AllocationTable({ allocation, levels, named, sort, onSort }: Props) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  const [step] = allocation.steps
  if (!step) return null
  const { lines, columns, totals, compared } = explorerLines(step, levels)
  const hasCompare = allocation.compare !== undefined
  const all = sortColumns(columns, hasCompare)
  const wanted = readSort(sort)
  const column = all.findIndex(({ id }) => id === wanted?.id)
  const keyOf = all[column]?.keyOf
  const order = keyOf && { keyOf, isDescending: wanted?.isDescending ?? false }
  const rows = orderLines(lines, (key) => open.has(key), order)
  const toggle = (key: string) =>
    setOpen((old) => (old.has(key) ? new Set([...old].filter((each) => each !== key)) : new Set([...old, key])))
  const words = levels.map(groupingName)
  return (
    <Section
      title={`Cost by ${words.join(' and ')}`}
      meta={`${count(lines.length, 'row')}, ${totals.total} in this period`}
      end="efficiency: used ÷ (used + requested but unused), CPU and memory"
    >
      <Table
        label={`Cost by ${words.join(' and ')}`}
        columns={tableColumns({ ...allocation, lines, words, named, columns, hasCompare, open, onToggle: toggle })}
        rows={rows}
        rowKey={({ key }) => key}
        footer={<Total lines={lines} totals={totals} compared={hasCompare ? { ...compared, step } : null} />}
        order={{
          sort: order ? { column, isDescending: order.isDescending } : null,
          onSort: (next) => onSort(sortText(next, all)),
        }}
      />
    </Section>
  )
}

const sortText = (next: TableSort | null, all: readonly { id: string }[]) =>
  next === null ? undefined : `${next.isDescending ? '-' : ''}${all[next.column]?.id ?? ''}`

type TotalProps = {
  lines: readonly Line[]
  totals: AddedUpTable
  /** Null: the table has no columns for a comparison. */
  compared: (ReturnType<typeof explorerLines>['compared'] & { step: Allocation['steps'][number] }) | null
}

function Total({ lines, totals, compared }: TotalProps) {
  const partly = partlyUnpriced(lines.map(({ cost }) => cost))
  return (
    <tr>
      <td>
        <span className="inline-flex flex-wrap items-center gap-x-2">
          Total {partly && <PartlyUnpriced parts={unpricedParts(partly)} />}
        </span>
      </td>
      <td className={roomFor.bar} />
      {totals.columns.map((amount, index) => (
        <td key={index} className={`num ${roomFor.parts}`}>
          {amount}
        </td>
      ))}
      <td className="num pl-4">{totals.total}</td>
      {compared && (
        <>
          <td className={`num ${roomFor.compared}`}>{compared.previous.total}</td>
          <td className="num">{compared.changes.total}</td>
          <td className={`num ${roomFor.compared}`}>{percentText(compared.step.compare?.total.percent ?? null)}</td>
        </>
      )}
      <td className={roomFor.parts} />
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
const roomFor = { bar: '@max-[1100px]:hidden', compared: '@max-[760px]:hidden', parts: '@max-[480px]:hidden' }

type Drawn = {
  lines: readonly Line[]
  words: readonly string[]
  named: readonly string[]
  columns: readonly CostColumn[]
  hasCompare: boolean
  clusters: Allocation['clusters']
  open: ReadonlySet<string>
  onToggle: (key: string) => void
}

function tableColumns({ lines, words, named, columns, hasCompare, clusters, open, onToggle }: Drawn): Column<Line>[] {
  const max = Math.max(...lines.map(({ cost }) => cost.workload + cost.workload_idle + cost.cluster_idle))
  return [
    {
      className: '@max-[480px]:whitespace-normal',
      header: capital(words.join(', ')),
      cell: (line) => (
        <OwnerCell line={line} clusters={clusters} named={named} isOpen={open.has(line.key)} onToggle={onToggle} />
      ),
    },
    {
      header: 'Compute',
      className: `w-[14%] ${roomFor.bar}`,
      cell: ({ cost }) => <MiniBar classes={cost} max={max} />,
    },
    ...columns.map(({ header, meaning }, column): Column<Line> => ({
      header: <span title={meaning}>{header}</span>,
      align: 'end',
      // Long titles wrap before the table gets wider than the page.
      className: `whitespace-normal ${roomFor.parts}`,
      cell: ({ shown }) => shown.cells[column],
    })),
    { header: 'Total $', align: 'end', cell: (line) => <TotalOf line={line} /> },
    ...(hasCompare ? comparedColumns : []),
    { header: 'Efficiency', align: 'end', className: roomFor.parts, cell: ({ shown }) => shown.efficiency },
  ]
}

/** A change of 10 % or more stands out. */
const isLarge = ({ compare }: Line) => Math.abs(compare?.percent ?? 0) >= 10

const comparedColumns: Column<Line>[] = [
  {
    header: 'Previous $',
    align: 'end',
    className: roomFor.compared,
    cell: ({ shown }) => <span className="text-ink-3">{shown.previous}</span>,
  },
  { header: 'Change $', align: 'end', cell: ({ shown }) => shown.change },
  {
    header: 'Change %',
    align: 'end',
    className: roomFor.compared,
    cell: (line) => (isLarge(line) ? <b className="font-medium">{line.shown.percent}</b> : line.shown.percent),
  },
]

type OwnerProps = {
  line: Line
  clusters: Allocation['clusters']
  named: readonly string[]
  isOpen: boolean
  onToggle: (key: string) => void
}

function OwnerCell({ line, clusters, named, isOpen, onToggle }: OwnerProps) {
  const { key, word, name, isOwned, level, cost, lines } = line
  return (
    <span
      className={`inline-flex flex-wrap items-center gap-x-2 @min-[600px]:flex-nowrap ${level === 1 ? 'pl-10' : ''}`}
    >
      {lines.length > 0 && (
        <button
          type="button"
          className="tree-toggle"
          aria-expanded={isOpen}
          aria-label={`Rows of ${word}`}
          onClick={() => onToggle(key)}
        >
          <Icon name={isOpen ? 'chevron' : 'next'} />
        </button>
      )}
      <span className="inline-flex items-center gap-x-2">
        {level === 0 && (
          <span
            className={`swatch shrink-0 ${isOwned ? '' : 'hatch'}`}
            {...(isOwned ? { style: { background: colourOf(name, named).fill } } : {})}
          />
        )}
        <OwnerName line={line} clusterId={clusters.find((each) => each.name === line.cluster)?.id} />
      </span>
      {cost.unpriced && <PartlyUnpriced parts={unpricedParts(cost)} />}
      {cost.estimated > 0 && cost.estimated >= cost.total / 2 && <Tag>estimated</Tag>}
    </span>
  )
}

function TotalOf({ line: { name, cost, shown } }: { line: Line }) {
  return (
    <b>
      <Explained
        title={`${ownerName(name)}, ${shown.total}`}
        how="Cost = allocated CPU and memory × node price. The allocation is the request, plus usage above the request if the node has free capacity. Volumes and load balancers are included."
        parts={partsOf(cost)}
        sum="Total"
      >
        {shown.total}
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
      ['Share of shared namespaces', cost.shared_namespaces],
    ] as const
  )
    .filter(([, value]) => value > 0)
    .map(([name, usd]) => ({ name, usd }))
