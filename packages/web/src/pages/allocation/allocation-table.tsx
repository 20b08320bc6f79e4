import type { Allocation } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { dollars } from '../../format/money.ts'
import { percent } from '../../format/quantity.ts'
import { ownerName } from '../../format/words.ts'
import { Explained } from '../../parts/explained.tsx'
import { Tag } from '../../parts/marks.tsx'
import { MiniBar, unmeasuredNote } from '../../parts/money-bar.tsx'
import { Section } from '../../parts/section.tsx'
import { Table, type Column } from '../../parts/table.tsx'

type Cost = Allocation['steps'][number]['rest']['cost']
type Row = { name: string; cost: Cost; isOwned: boolean }

const unowned = ['idle', 'unmounted', 'unattached', 'overhead'] as const

export function AllocationTable({ allocation, by }: { allocation: Allocation; by: string }) {
  const [step] = allocation.steps
  if (!step) return null
  const rows: Row[] = [
    ...step.rows.map(({ names, cost }) => ({ name: names[by] ?? '', cost, isOwned: true })),
    ...(step.rest.rows > 0 ? [{ name: '__other__', cost: step.rest.cost, isOwned: true }] : []),
    ...unowned.flatMap((kind) => (step[kind] ? [{ name: `__${kind}__`, cost: step[kind], isOwned: false }] : [])),
  ]
  const max = Math.max(...rows.map(({ cost }) => cost.workload + cost.workload_idle + cost.cluster_idle))
  return (
    <Section
      title="Who pays for what"
      meta={`${rows.length} rows`}
      end="efficiency: used ÷ used and reserved, of CPU and memory"
    >
      <Table
        label={`Cost by ${by}`}
        columns={columns(by, max)}
        rows={rows}
        rowKey={({ name }) => name}
        footer={
          <tr>
            <td>Together</td>
            <td />
            <td />
            <td />
            <td />
            <td className="num">{dollars(step.total)}</td>
            <td />
          </tr>
        }
      />
    </Section>
  )
}

const columns = (by: string, max: number): Column<Row>[] => [
  {
    header: by === 'node_pool' ? 'Pool' : by.charAt(0).toUpperCase() + by.slice(1),
    cell: ({ name, isOwned, cost }) => (
      <span className="inline-flex items-center gap-2">
        <NameOf name={name} by={by} isOwned={isOwned} />
        {cost.unpriced && <Tag tone="warn">partly unpriced</Tag>}
        {cost.estimated > 0 && cost.estimated >= cost.total / 2 && <Tag>estimated</Tag>}
      </span>
    ),
  },
  {
    header: 'Used, reserved, never asked for',
    className: 'w-[28%]',
    cell: ({ cost }) => <MiniBar classes={cost} max={max} />,
  },
  {
    header: 'Used',
    align: 'end',
    cell: ({ cost }) => (
      <span title={cost.unmeasured > 0 ? unmeasuredNote(cost.unmeasured) : undefined}>
        {dollars(cost.workload)}
        {cost.unmeasured > 0 && <Tag>GPU not measured</Tag>}
      </span>
    ),
  },
  { header: 'Reserved, idle', align: 'end', cell: ({ cost }) => dollars(cost.workload_idle) },
  {
    header: 'Storage, balancers',
    align: 'end',
    cell: ({ cost }) => dollars(cost.storage + cost.load_balancer + cost.overhead + cost.shared_overhead),
  },
  {
    header: '$ in the window',
    align: 'end',
    cell: ({ name, cost }) => (
      <b>
        <Explained
          title={`${ownerName(name)}, ${dollars(cost.total)}`}
          how="What it was allocated, hour by hour, × the price of the nodes it ran on; its volumes and balancers besides."
          parts={partsOf(cost)}
          sum={{ name: 'Together', value: dollars(cost.total) }}
        >
          {dollars(cost.total)}
        </Explained>
      </b>
    ),
  },
  {
    header: 'Efficiency',
    align: 'end',
    cell: ({ cost, isOwned }) => percent(isOwned ? cost.efficiency : null),
  },
]

const partsOf = (cost: Cost) =>
  (
    [
      ['CPU', cost.cpu],
      ['Memory', cost.memory],
      ['GPU', cost.gpu],
      ['Volumes', cost.storage],
      ['Balancers', cost.load_balancer],
      ['Overhead', cost.overhead],
      ['Idle handed to it', cost.shared_idle],
      ['Overhead handed to it', cost.shared_overhead],
    ] as const
  )
    .filter(([, value]) => value > 0)
    .map(([name, value]) => ({ name, value: dollars(value) }))

function NameOf({ name, by, isOwned }: { name: string; by: string; isOwned: boolean }) {
  if (!isOwned) {
    return (
      <span className="inline-flex items-center gap-2 text-ink-2">
        <span className="swatch hatch" />
        {ownerName(name)}
      </span>
    )
  }
  if (by !== 'namespace' || name.startsWith('__')) return <span className="main">{ownerName(name)}</span>
  return (
    <Link
      to="/recommendations"
      search={{ namespace: name }}
      className="main hover:underline"
      title="Its recommendations"
    >
      {name}
    </Link>
  )
}
