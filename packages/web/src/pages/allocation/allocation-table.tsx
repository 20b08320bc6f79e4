import type { Allocation } from '@plimsoll/contract'
import { Link } from '@tanstack/react-router'
import { dollars } from '../../format/money.ts'
import { percent } from '../../format/quantity.ts'
import { ownerName } from '../../format/words.ts'
import { Explained } from '../../parts/explained.tsx'
import { Tag } from '../../parts/marks.tsx'
import { MiniBar } from '../../parts/money-bar.tsx'
import { amountOf, wordOf } from '../../parts/money-classes.ts'
import { Section } from '../../parts/section.tsx'
import { Table, type Column } from '../../parts/table.tsx'
import { colourOf } from './colours.ts'
import { shortOwner } from './owner.ts'

type Cost = Allocation['steps'][number]['rest']['cost']
type Row = { name: string; cost: Cost; isOwned: boolean }

const unowned = ['idle', 'unmounted', 'unattached', 'overhead'] as const

type Props = { allocation: Allocation; by: string; named: readonly string[] }

export function AllocationTable({ allocation, by, named }: Props) {
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
        columns={columns(by, max, named)}
        rows={rows}
        rowKey={({ name }) => name}
        footer={
          <tr>
            <td>Together</td>
            <td className={roomFor.bar} />
            <td className={`num ${roomFor.all}`}>{dollars(sumOf(rows, (cost) => amountOf(cost, 'used')))}</td>
            <td className={`num ${roomFor.idle}`}>{dollars(sumOf(rows, ({ workload_idle: idle }) => idle))}</td>
            <td className={`num ${roomFor.all}`}>{dollars(sumOf(rows, besides))}</td>
            <td className="num">{dollars(step.total)}</td>
            <td />
          </tr>
        }
      />
    </Section>
  )
}

/** Which columns give way first where the table is narrow; the money itself never does. */
const roomFor = { bar: '@max-[480px]:hidden', idle: '@max-[700px]:hidden', all: '@max-[900px]:hidden' }

const columns = (by: string, max: number, named: readonly string[]): Column<Row>[] => [
  {
    className: '@max-[480px]:whitespace-normal',
    header: by === 'node_pool' ? 'Pool' : by.charAt(0).toUpperCase() + by.slice(1),
    cell: ({ name, isOwned, cost }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <span
          className={`swatch ${isOwned ? '' : 'hatch'}`}
          {...(isOwned ? { style: { background: colourOf(name, named).fill } } : {})}
        />
        <NameOf name={name} by={by} isOwned={isOwned} />
        {cost.unpriced && (
          <Tag tone="warn" title="A part of what it used has no price: it is in no sum, and not free.">
            partly unpriced
          </Tag>
        )}
        {cost.estimated > 0 && cost.estimated >= cost.total / 2 && <Tag>estimated</Tag>}
      </span>
    ),
  },
  {
    header: 'Used, reserved, never asked for',
    className: `w-[28%] ${roomFor.bar}`,
    cell: ({ cost }) => <MiniBar classes={cost} max={max} />,
  },
  {
    header: 'Used',
    align: 'end',
    className: roomFor.all,
    cell: ({ cost }) => (
      <>
        {cost.unmeasured > 0 && (
          <Tag title={wordOf('unmeasured').how}>{dollars(cost.unmeasured)} GPU, not measured</Tag>
        )}{' '}
        {moneyOrDash(amountOf(cost, 'used'))}
      </>
    ),
  },
  {
    header: 'Reserved, idle',
    align: 'end',
    className: roomFor.idle,
    cell: ({ cost }) => moneyOrDash(cost.workload_idle),
  },
  {
    header: 'Storage, balancers',
    align: 'end',
    className: roomFor.all,
    cell: ({ cost }) => moneyOrDash(besides(cost)),
  },
  {
    header: 'All $',
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

/** What is paid for besides compute. */
const besides = (cost: Cost) => cost.storage + cost.load_balancer + cost.overhead + cost.shared_overhead

const sumOf = (rows: readonly Row[], of: (cost: Cost) => number) => rows.reduce((sum, { cost }) => sum + of(cost), 0)

const moneyOrDash = (value: number) => (value === 0 ? <span className="text-ink-3">–</span> : dollars(value))

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
      <Link to="/allocation" search={intoIt} className="hover:underline" title={`The workloads of ${name}`}>
        {shown}
      </Link>
    )
  }
  if (by !== 'workload') return shown
  const [namespace = '', , workload = ''] = name.split('/')
  return (
    <Link
      to="/recommendations"
      search={{ namespace, text: workload }}
      className="hover:underline"
      title="What is advised"
    >
      {shown}
    </Link>
  )
}
